internal import LiveTables
internal import Testing

@Suite("Controls")
struct ControlsTests {
  /// Presses keys one after another, and returns the resulting commands.
  private func press(_ keys: [Key], _ controls: inout Controls) -> [Controls.Command] {
    keys.compactMap { controls.press($0, page: 10) }
  }

  private func keys(_ text: String) -> [Key] { text.map { .character($0) } }

  @Test("Keys are commands")
  func commands() {
    var controls = Controls()
    #expect(press(keys("u+=-xq"), &controls) == [.upload, .stepUp, .stepUp, .stepDown, .quit])
  }

  @Test("r asks for a number of workers; keys are its digits until it is entered or left")
  func workers() {
    var controls = Controls()
    #expect(press(keys("r1q2"), &controls).isEmpty)
    #expect(controls.prompt == ScreenState.Prompt(.workers, text: "12"))
    #expect(press([.backspace, .enter], &controls) == [.restart(workers: 1)])
    #expect(controls.prompt == nil)
    #expect(press(keys("r3") + [.escape, .enter], &controls).isEmpty)
    #expect(press(keys("r") + [.backspace, .enter], &controls).isEmpty)
    // A digit that would make the number too great is ignored.
    #expect(press(keys("r10009") + [.enter], &controls) == [.restart(workers: 1000)])
    #expect(press(keys("r0") + [.enter] + keys("q"), &controls) == [.restart(workers: 0), .quit])
  }

  @Test("n asks for a name, of any characters and some length")
  func name() {
    var controls = Controls()
    #expect(press(keys("nAnn q") + [.enter], &controls) == [.rename("Ann q")])
    #expect(press(keys("n") + [.enter], &controls) == [.rename("")])
    let long = String(repeating: "a", count: 100)
    #expect(press(keys("n" + long) + [.enter], &controls) == [.rename(String(long.prefix(32)))])
  }

  @Test("/ searches at each key, until the result is shown or left")
  func search() {
    var controls = Controls()
    #expect(
      press(keys("/aq") + [.backspace, .enter], &controls)
        == [.search(""), .search("a"), .search("aq"), .search("a"), .showFound])
    #expect(
      press(keys("/q") + [.escape] + keys("q"), &controls) == [
        .search(""), .search("q"), .search(nil), .quit,
      ])
    controls.scroll(to: 7)
    #expect(controls.start == 7)
  }

  @Test("m and b move rows to the shelf and back")
  func shelf() {
    var controls = Controls()
    #expect(press(keys("mb"), &controls) == [.shelve, .unshelve])
  }

  @Test("Arrows and pages move the window, which stays where there are rows")
  func scrolling() {
    var controls = Controls()
    func start(after key: Key, count: Int = 100) -> Int {
      _ = controls.press(key, page: 10)
      controls.show(count: count, page: 10, latest: nil)
      return controls.start
    }
    #expect(start(after: .down) == 1)
    #expect(start(after: .pageDown) == 11)
    #expect(start(after: .up) == 10)
    #expect(start(after: .pageUp) == 0)
    #expect(start(after: .up) == 0)
    #expect(start(after: .end) == 90)
    #expect(start(after: .down) == 90)
    #expect(start(after: .down, count: 95) == 85)
    #expect(start(after: .home) == 0)
    #expect(start(after: .end, count: 5) == 0)
    #expect(press([.end, .down, .pageDown], &controls).isEmpty)
    #expect(start(after: .up) == 90)
  }

  @Test("f follows the changes until the window is moved")
  func following() {
    var controls = Controls()
    controls.show(count: 100, page: 10, latest: 50)
    #expect(controls.start == 0)
    #expect(press(keys("f"), &controls).isEmpty)
    controls.show(count: 100, page: 10, latest: 50)
    #expect(controls.follows)
    #expect(controls.start == 45)
    controls.show(count: 100, page: 10, latest: 54)
    #expect(controls.start == 45)
    controls.show(count: 100, page: 10, latest: 99)
    #expect(controls.start == 90)
    controls.show(count: 100, page: 10, latest: nil)
    #expect(controls.start == 90)
    _ = controls.press(.up, page: 10)
    controls.show(count: 100, page: 10, latest: 50)
    #expect(!controls.follows)
    #expect(controls.start == 89)
  }
}
