/// A lock that the thread which holds it can reserve for one waiting thread.
///
/// # Why
/// A lock that is free is acquired by whoever comes first. A thread that was promised a value, and has yet to wake,
/// can lose it to others each time. A reserved lock is free for that thread alone.
///
/// # Algorithm
/// The thread that holds the lock sets `reserved` in the lock's word, and then releases the lock as usual. To all
/// threads but one, a reserved lock is a held lock. That one, the *served* thread, acquires the lock by a function
/// of its own, `lockServed`, which clears the flag. So a reservation permits no deadlock which the served thread
/// would not cause by being quick. The lock does not know the served thread: the lock's user must have only one at a
/// time, which must not give up while the lock is reserved.
///
/// The served thread may sleep among other threads. So the release of a reserved lock wakes all of them.
@usableFromInline
@frozen
package struct ReservableLock: Sendable {
  /// The key of the lock, whose first word holds the number of the owner and the flag.
  private let key: UInt

  @usableFromInline
  package init(key: UInt) {
    self.key = key
  }

  /// The flag of a reservation, which no thread's number has.
  package static var reserved: UInt32 { 1 << 26 }

  /// Reserves the lock, which the calling thread must hold.
  ///
  /// Relaxed: the release of the lock publishes the flag.
  package func reserve() { borrow(LockWord.self, at: key) { _ = $0.setBitsRelaxed(Self.reserved) } }
}
