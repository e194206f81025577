let lock = PeerLock()
nonisolated(unsafe) var current = Session(0)

final class Session: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }

  deinit { lock.withLock {} }
}

func run() {
  lock.withLock { current = Session(1) }
  conclude(current.number, shouldBe: 1)
}
