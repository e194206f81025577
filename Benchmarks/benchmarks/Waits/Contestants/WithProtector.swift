internal import Protectors
internal import ReadWriteLocks

/// Lets two threads, the players 0 and 1, take turns.
///
/// A protector holds the number of the player whose turn it is.
struct TurnsOfProtector<Lock: ReadWriteLock & ~Copyable>: TurnTaking {
  private let turn: LockProtector<Int, Lock>

  /// Prepares the first turn, which is player 0's.
  ///
  /// - Parameter turn: A protector whose value must be 0, the number of the player who begins.
  init(_ turn: LockProtector<Int, Lock>) {
    self.turn = turn
  }

  func takeTurn(_ player: Int) {
    turn.withWriteLock(waitingUntil: { $0 == player }) { $0 = 1 - player }
  }
}

/// A bounded queue: a ring buffer in a protector.
struct QueueOfProtector<Lock: ReadWriteLock & ~Copyable>: BoundedQueue {
  private let ring: LockProtector<Ring, Lock>

  init(_ ring: LockProtector<Ring, Lock>) {
    self.ring = ring
  }

  func push(_ element: Int) {
    ring.withWriteLock(waitingUntil: { !$0.isFull }) { $0.push(element) }
  }

  func pop() -> Int {
    ring.withWriteLock(waitingUntil: { !$0.isEmpty }) { $0.pop() }
  }
}

/// A number in a protector.
///
/// A thread can wait, with a timeout, until the number is negative.
struct NumberOfProtector<Lock: TimedReadWriteLock & ~Copyable>: VainWaiting {
  private let number: LockProtector<Int, Lock>

  init(_ number: LockProtector<Int, Lock>) {
    self.number = number
  }

  func waitInVain(nanoseconds: UInt64) {
    let limit = Duration.nanoseconds(Int64(nanoseconds))
    _ = number.withWriteLock(waitingUntil: { $0 < 0 }, timeout: limit) { _ in }
  }

  func write() {
    number.withWriteLock { $0 = ($0 + 1) & 0xFFFF }
  }
}
