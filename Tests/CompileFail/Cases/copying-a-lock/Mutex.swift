import Synchronization

final class Account: Sendable {
  let lock = Mutex(())

  func withLock(_ body: () -> Void) {
    let lock = self.lock
    // error: 'self.lock' is borrowed and cannot be consumed
    lock.withLock { _ in body() }
  }
}
