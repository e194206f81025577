import UnfairLocks

final class Account: Sendable {
  let lock = UnfairLock()
}
