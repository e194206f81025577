internal import InterlockCore
internal import InterlockWaits

/// The room of an `OrderedDelivery`: who waits for it, and for whom a place is kept.
///
/// # Why
/// `waitForRoom()` and the `post` after it are two calls, and a task may run long after it was resumed. If
/// anyone could post meanwhile, threads that post without a pause would take all places. So a place is kept for
/// each caller that has waited.
///
/// # Invariants
/// 1. The waiting elements and the kept places together are at most `limit`. If there is room beyond them,
///    nobody waits: `grant` is called in each critical section that makes room.
/// 2. Callers wait in one list, and the first one gets the next place. A caller that is cancelled in the list
///    was granted nothing. One that was taken from the list has a place, even if it is cancelled then.
/// 3. A place is kept until its caller's next post, and from the caller's return on for `drainsOfAPlace` drains
///    at most. So callers that never post don't shut out others.
/// 4. A drain is scheduled where callers wait and no element does that would bring one: to give up places, and
///    to grant what callers without places have not used. This is looked at when a caller begins to wait, when
///    one returns, when a drain begins, and after a refused post.
/// 5. After a place was given up, the next one that a caller returns with is open to every post, until it is
///    used or given up. So a caller that waits on one thread and posts on another gets room, too.
///
/// A delivery that combines elements refuses no post, so it keeps no places.
@usableFromInline
struct DeliveryRoom: ~Copyable, Sendable {
  private let limit: Int
  private let keepsPlaces: Bool
  private var waiters = TaskWaiterList()
  /// The drain at which each place is given up, by `caller`; `never` before the caller has returned.
  private var places: [UInt64: UInt64] = [:]
  private var drains: UInt64 = 0
  private var isNextPlaceOpen = false
  /// The caller whose place is open to every post, if it is still kept.
  private var openPlace: UInt64?

  init(limit: Int, keepsPlaces: Bool) {
    self.limit = limit
    self.keepsPlaces = keepsPlaces
  }

  /// For how many drains a place is kept: a caller that is interrupted before its post should not lose it.
  private static var drainsOfAPlace: UInt64 { 16 }

  private static var never: UInt64 { .max }

  /// The number of the calling task or, outside of tasks, of the thread.
  static var caller: UInt64 {
    let task = TaskIdentity.current
    return task != 0 ? task : UInt64(ThreadIdentity.current) << 4 | 1
  }

  // MARK: Posting

  /// Whether there is room for a post of the calling thread or task; a place that it needs is used up.
  @usableFromInline
  mutating func admitsPost(beside count: Int) -> Bool {
    if places.isEmpty { return hasRoom(beside: count) }
    if places.removeValue(forKey: Self.caller) != nil || hasRoom(beside: count) { return true }
    guard let place = openPlace.take() else { return false }
    return places.removeValue(forKey: place) != nil
  }

  private func hasRoom(beside count: Int) -> Bool { count + places.count < limit }

  // MARK: Waiting

  /// The number of waiters, for tests.
  var waitCount: Int { waiters.count }

  /// Keeps a place for the waiter's caller if there is room; returns whether there is.
  mutating func keepPlace(_ waiter: TaskWaiter, beside count: Int) -> Bool {
    guard places[waiter.task] != nil || hasRoom(beside: count) else { return false }
    didReturn(waiter)
    return true
  }

  /// Appends the waiter of a caller for which there is no room.
  mutating func append(_ waiter: TaskWaiter) { waiters.append(waiter) }

  /// Records that the waiter's caller, for which a place was kept, returns and may post.
  mutating func didReturn(_ waiter: TaskWaiter) {
    guard keepsPlaces else { return }
    places[waiter.task] = drains + Self.drainsOfAPlace
    if isNextPlaceOpen { openPlace = waiter.task } else if openPlace == waiter.task { openPlace = nil }
    isNextPlaceOpen = false
  }

  /// Takes a waiter from the list; returns whether it was there.
  mutating func remove(_ waiter: TaskWaiter) -> Bool { waiters.remove(waiter) }

  /// Whether a drain must be scheduled although no element waits.
  func needsDrain(beside count: Int) -> Bool {
    count == 0 && !waiters.isEmpty && (!keepsPlaces || places.values.contains { $0 != Self.never })
  }

  // MARK: Drains

  /// Gives up the places that were not used in time.
  mutating func drainBegins() {
    drains += 1
    let kept = places.filter { $0.value > drains }
    if kept.count < places.count {
      places = kept
      isNextPlaceOpen = true
    }
  }

  /// Keeps places for waiters as long as there is room.
  ///
  /// - Returns: The waiters, which the caller must resume.
  mutating func grant(beside count: Int) -> [TaskWaiter] {
    var granted: [TaskWaiter] = []
    while hasRoom(beside: keepsPlaces ? count : count + granted.count), let waiter = waiters.removeFirst() {
      if keepsPlaces {
        places[waiter.task] = Self.never
        if openPlace == waiter.task { openPlace = nil }
      }
      granted.append(waiter)
    }
    return granted
  }

  /// Ends all waits.
  ///
  /// - Returns: The waiters, which the caller must resume.
  mutating func end() -> [TaskWaiter] {
    var ended: [TaskWaiter] = []
    while let waiter = waiters.removeFirst() { ended.append(waiter) }
    places = [:]
    return ended
  }
}
