import CaseSupport
import Dispatch

let queue = DispatchQueue(label: "session")
nonisolated(unsafe) var current = Session(0)

final class Session: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }

  deinit { queue.sync {} }
}

@main enum Program {
  static func main() {
    queue.sync { current = Session(1) }
    conclude(current.number, shouldBe: 1)
  }
}
