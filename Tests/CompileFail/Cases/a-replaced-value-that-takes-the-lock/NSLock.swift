import CaseSupport
import Foundation

let lock = NSLock()
nonisolated(unsafe) var current = Session(0)

final class Session: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }

  deinit { lock.withLock {} }
}

@main enum Program {
  static func main() {
    lock.withLock { current = Session(1) }
    conclude(current.number, shouldBe: 1)
  }
}
