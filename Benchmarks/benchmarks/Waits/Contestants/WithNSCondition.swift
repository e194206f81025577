// Imported for `NSCondition` only.
internal import class Foundation.NSCondition

final class TurnsOfNSCondition: TurnTaking, @unchecked Sendable {
  private let condition = NSCondition()
  // `turn` is used only while the condition is locked, so accesses can't overlap. This makes both
  // `@exclusivity(unchecked)` and the class's `@unchecked Sendable` sound.
  @exclusivity(unchecked) private var turn = 0

  func takeTurn(_ player: Int) {
    condition.lock()
    while turn != player { condition.wait() }
    turn = 1 - player
    condition.unlock()
    // At most one thread is waiting, so a signal suffices and no broadcast is needed.
    condition.signal()
  }
}

/// A bounded queue whose producers and consumers wait for the same condition.
///
/// Each `NSCondition` has its own lock, so two conditions can't share the lock of the queue. Therefore each
/// change of the queue wakes all waiting threads, unless only one thread can be waiting.
final class QueueOfNSCondition: BoundedQueue, @unchecked Sendable {
  private let condition = NSCondition()
  private let isForOnePair: Bool
  // `ring` is used only while the condition is locked, so accesses can't overlap. This makes both
  // `@exclusivity(unchecked)` and the class's `@unchecked Sendable` sound.
  @exclusivity(unchecked) private var ring = Ring()

  init(pairs: Int) {
    isForOnePair = pairs == 1
  }

  func push(_ element: Int) {
    condition.lock()
    while ring.isFull { condition.wait() }
    ring.push(element)
    condition.unlock()
    tell()
  }

  func pop() -> Int {
    condition.lock()
    while ring.isEmpty { condition.wait() }
    let element = ring.pop()
    condition.unlock()
    tell()
    return element
  }

  private func tell() {
    if isForOnePair { condition.signal() } else { condition.broadcast() }
  }
}
