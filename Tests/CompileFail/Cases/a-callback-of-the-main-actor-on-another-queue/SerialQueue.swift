import Dispatch

@MainActor final class Screen {
  var sum: UInt = 0
  let end = Gate()

  func listen(to source: any DispatchSourceUserDataAdd) {
    source.setEventHandler {
      self.sum += UInt(source.data)
      self.end.open()
    }
  }
}

@MainActor func run() {
  let screen = Screen()
  let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "sum"))
  screen.listen(to: source)
  source.activate()
  source.add(data: 1)
  screen.end.pass()
  conclude(screen.sum, shouldBe: 1)
}
