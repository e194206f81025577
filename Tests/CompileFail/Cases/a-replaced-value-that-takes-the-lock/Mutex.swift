import Synchronization

let current = Mutex(Session(0))

final class Session: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }

  deinit { _ = current.withLock { $0.number } }
}

func run() {
  current.withLock { $0 = Session(1) }
  conclude(current.withLock { $0.number }, shouldBe: 1)
}
