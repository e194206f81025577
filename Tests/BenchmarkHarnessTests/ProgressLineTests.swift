internal import BenchmarkHarness
internal import Testing

@Suite("Progress line")
struct ProgressLineTests {
  @Test("A bar, the share, the time that is left, and what is measured")
  func text() {
    #expect(
      ProgressLine(done: 0.25, elapsed: 30, what: "locks").text
        == "▕█████               ▏ 25 %, 1:30 left  locks")
    #expect(ProgressLine(done: 0.5, elapsed: 5, what: "").text.contains(", 0:05 left"))
  }

  @Test("At the beginning the remaining time is unknown")
  func beginning() {
    #expect(!ProgressLine(done: 0, elapsed: 1, what: "locks").text.contains("left"))
  }
}
