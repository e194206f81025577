import CaseSupport
import Protectors

let current = Protector(Session(0))

final class Session: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }

  deinit { _ = current.withReadLock { $0.number } }
}

@main enum Program {
  static func main() {
    current.exchange(Session(1))
    conclude(current.snapshot.number, shouldBe: 1)
  }
}
