import UnfairLocks

final class Account: Sendable {
  let lock = UnfairLock()

  func withLock(_ body: () -> Void) {
    lock.withLock { body() }
  }
}
