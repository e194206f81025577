internal import PlatformLocks
public import ReadWriteLocks

// Several protectors at once. A thread that holds one lock and waits for another one without a limit is half of a deadlock,
// so it never does: it waits for the first lock as long as it takes, and for the others for a moment. If one of them can't be had, it
// releases all and begins with that one. (`std::lock` of C++ does the same.) So no order has to be agreed on, and threads that nest
// sections by hand in an order of their own are no danger.
//
// The moment is zero at first, then random within a limit that doubles with each attempt, up to a millisecond. A thread that only tried the locks would never get one whose
// readers overlap, because it would not count as a waiting writer there.

/// Runs `body` with the values of two protectors, while nobody else reads or writes either.
///
/// ```swift
/// withWriteLocks(ann, bob) { ann, bob in
///   ann -= 30
///   bob += 30
/// }
/// ```
///
/// It acquires both locks without a deadlock, whatever order other threads take them in. At the end each of them serves
/// those that wait for a predicate on its value.
///
/// - **Blocking**: while other threads are in sections of either protector. While it waits for one of them it holds the other one for a
///   moment at most. In asynchronous code it blocks a thread of the pool that all tasks share.
/// - **Deadlocks it permits**: a call inside a section of a third protector, which other threads need to end
///   their sections of these two.
/// - **Traps**: the same protector twice; a call inside a write section of one of them, with all locks of this package. A call
///   inside a read section of one of them does what the lock does when sections nest.
///
/// - Parameters:
///   - first: A protector.
///   - second: Another protector, which may be of another type.
///   - body: What to do with the two values.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws; changes that it made before stay.
/// - Complexity: That of both locks, plus two loads, when they are free.
@inlinable
public func withWriteLocks<
  First: ~Copyable, FirstLock: TimedReadWriteLock & ~Copyable,
  Second: ~Copyable, SecondLock: TimedReadWriteLock & ~Copyable,
  R: ~Copyable, E: Error
>(
  _ first: LockProtector<First, FirstLock>, _ second: LockProtector<Second, SecondLock>,
  _ body: (inout sending First, inout sending Second) throws(E) -> sending R
) throws(E) -> sending R {
  if ObjectIdentifier(first) == ObjectIdentifier(second) { trapGivenTwice() }
  var attempt = LockAttempt()
  while true {
    if let result = try first.writeTogether(with: second, within: attempt.next(), body) { return result }
    let result = try second.writeTogether(with: first, within: attempt.next()) {
      (second: inout sending Second, first: inout sending First) throws(E) -> sending R in
      try body(&first, &second)
    }
    if let result { return result }
  }
}

/// Runs `body` with the values of several protectors, while nobody else reads or writes any of them.
///
/// ```swift
/// withWriteLocks([ann, bob, eve]) { balances in
///   balances[0] -= 30
///   balances[1] += 20
///   balances[2] += 10
/// }
/// ```
///
/// It acquires all locks without a deadlock, and blocks and traps as `withWriteLocks(_:_:_:)` for two protectors does. The values
/// have to be `Sendable`, because the compiler can't see whether those of an array share an object at the end.
///
/// - Parameters:
///   - protectors: The protectors, in any order.
///   - body: What to do with the values, which stand in the order of their protectors. It may change and replace them; it
///     traps when it adds or removes one.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws; changes that it made before stay.
/// - Complexity: O(*n*) for *n* protectors, besides waiting, and an array of the values.
@inlinable
public func withWriteLocks<Value: Sendable, Lock: TimedReadWriteLock & ~Copyable, R: ~Copyable, E: Error>(
  _ protectors: [LockProtector<Value, Lock>], _ body: (inout [Value]) throws(E) -> sending R
) throws(E) -> sending R {
  if Set(protectors.map(ObjectIdentifier.init)).count < protectors.count { trapGivenTwice() }
  var outcome = SectionOutcome<R, E>()
  var served: [ServedWaiters] = []
  var attempt = LockAttempt()
  var start: Int? = 0
  while let first = start {
    start = LockProtector.writeTogether(protectors, from: first, within: attempt.next()) {
      var values = protectors.map { $0.moveOut() }
      do throws(E) {
        outcome.put(.success(try body(&values)))
      } catch {
        outcome.put(.failure(error))
      }
      if values.count != protectors.count { trapCountChanged(from: protectors.count, to: values.count) }
      for (protector, value) in zip(protectors, values) {
        protector.moveIn(value)
        if protector.waiters.isNotEmpty { served.append(protector.serveWaiters()) }
      }
    }
  }
  for served in served where served.isNotEmpty { served.wake() }
  return try outcome.take()
}

/// How long to wait for another lock while one is held: zero at first, then twice as long each time.
@usableFromInline
struct LockAttempt {
  private var number = 0

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func next() -> Duration {
    defer { number += 1 }
    // A millisecond at most, and random: two threads that wait for each other must not give up at the same moment each time.
    return number == 0 ? .zero : .microseconds(Int.random(in: 1...(1 << min(number, 10))))
  }
}

extension LockProtector where Value: ~Copyable, Lock: TimedReadWriteLock & ~Copyable {
  /// Runs `body` with both values; `nil` when the other one's lock can't be had within `timeout` after this one's.
  @inlinable
  func writeTogether<
    Other: ~Copyable, OtherLock: TimedReadWriteLock & ~Copyable, R: ~Copyable, E: Error
  >(
    with other: LockProtector<Other, OtherLock>, within timeout: Duration,
    _ body: (inout sending Value, inout sending Other) throws(E) -> sending R
  ) throws(E) -> sending R? {
    var served = ServedWaiters()
    var otherServed = ServedWaiters()
    // After both locks have been released.
    defer {
      if served.isNotEmpty { served.wake() }
      if otherServed.isNotEmpty { otherServed.wake() }
    }
    return try lock.withWriteLock { () throws(E) -> sending R? in
      try other.lock.withWriteLock(timeout: timeout) { () throws(E) -> sending R in
        defer {
          if waiters.isNotEmpty { served = serveWaiters() }
          if other.waiters.isNotEmpty { otherServed = other.serveWaiters() }
        }
        return try unsafe body(&value, &other.value)
      }
    }
  }
}

extension LockProtector where Lock: TimedReadWriteLock & ~Copyable {
  /// Runs `body` in write sections of all protectors, of which that of `first` is waited for; the index of the one
  /// whose lock could not be had within `timeout`, or `nil` when `body` has run.
  @usableFromInline
  static func writeTogether(
    _ protectors: [LockProtector], from first: Int, within timeout: Duration, _ body: () -> Void
  ) -> Int? {
    var unavailable: Int?
    func enter(_ position: Int) {
      guard position < protectors.count else { return body() }
      let index = (first + position) % protectors.count
      if position == 0 { return protectors[index].lock.withWriteLock { enter(1) } }
      if !protectors[index].isIn(within: timeout, { enter(position + 1) }) { unavailable = index }
    }
    enter(0)
    return unavailable
  }

  /// Runs `section` if the lock can be had in time, and tells whether it did.
  private func isIn(within timeout: Duration, _ section: () -> Void) -> Bool {
    lock.withWriteLock(timeout: timeout) {
      section()
      return true
    } ?? false
  }

  // The value is elsewhere in between. Sound: the calling thread is in a write section from before the one until after the
  // other, and evaluates no predicate in between.

  /// Takes the value out of its place, which has none until another one is moved in.
  @usableFromInline
  func moveOut() -> Value {
    unsafe withUnsafeMutablePointer(to: &value) { unsafe $0.move() }
  }

  /// Puts a value into the place from which one was moved out.
  @usableFromInline
  func moveIn(_ new: Value) {
    unsafe withUnsafeMutablePointer(to: &value) { unsafe $0.initialize(to: new) }
  }
}

@usableFromInline
@inline(never)
func trapGivenTwice() -> Never {
  misuse("withWriteLocks", "given the same protector twice", "pass each protector once")
}

@usableFromInline
@inline(never)
func trapCountChanged(from old: Int, to new: Int) -> Never {
  misuse(
    "withWriteLocks", "its body made \(new) values of \(old)",
    "change and replace the values, and leave their number as it is")
}
