internal import Protectors
internal import ReadWriteLocks

/// Lets two threads take turns, with the number of the next player in a protector.
struct TurnsOfProtector<Lock: ReadWriteLock & ~Copyable>: TurnTaking {
  private let turn: LockProtector<Int, Lock>

  /// Prepares the first turn.
  ///
  /// - Parameter turn: A protector that holds 0, the number of the player who begins.
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

/// A number in a protector, which lets a thread wait for a value with a timeout.
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
