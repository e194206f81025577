public import DeadlockDetector
public import LockSupport
public import ReadWriteLocks

// Functions that acquire several protectors at the same time. A thread that holds a lock and waits for
// another one without a timeout may be part of a deadlock. Two rules prevent that:
// - All calls acquire their locks in the order of the protectors' addresses, so no two calls wait for each
//   other.
// - A thread that nests sections by hand may acquire the locks in another order. So only the wait for the
//   first lock has no timeout. The waits for the others end after a millisecond. If such a wait fails, the
//   call releases all its locks, so that the other thread can proceed. While it holds none, it waits for the
//   missing lock, and then it starts again.

/// Runs `body` with the values of two protectors, while no other thread reads or writes either.
///
/// ```swift
/// withWriteLocks(ann, bob) { ann, bob in
///   ann -= 30
///   bob += 30
/// }
/// ```
///
/// It acquires both locks without a deadlock, whatever order other threads acquire them in. At the end it
/// notifies the threads whose predicates on either value have become true.
///
/// - **Blocking**: while other threads are in sections of either protector. While it waits for one lock, it
///   holds the other one for a millisecond at most. In asynchronous code it blocks a thread of the pool that
///   all tasks share.
/// - **Deadlocks it permits**: a call inside a section of a third protector, if other threads wait for that
///   protector inside sections of these two.
/// - **Traps**: the same protector twice; a call inside a write section of one of them, with all locks of
///   this package. A call inside a read section of one of them traps or deadlocks, as its
///   lock documents.
///
/// - Parameters:
///   - first: A protector.
///   - second: Another protector, which may be of another type.
///   - body: Reads or changes the two values.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`. Changes that `body` has already made are kept.
/// - Complexity: Same as the two locks, when both are free, plus two loads to check whether threads wait.
@_alwaysEmitIntoClient
public func withWriteLocks<
  First: ~Copyable, FirstLock: TimedReadWriteLock & ~Copyable,
  Second: ~Copyable, SecondLock: TimedReadWriteLock & ~Copyable,
  R: ~Copyable, E: Error
>(
  _ first: LockProtector<First, FirstLock>, _ second: LockProtector<Second, SecondLock>,
  _ body: (inout sending First, inout sending Second) throws(E) -> sending R
) throws(E) -> sending R {
  if first.address == second.address { trapGivenTwice() }
  while true {
    if first.address < second.address {
      if let result = try first.writeTogether(with: second, body) { return result }
      second.lock.withWriteLock {}
    } else {
      let result = try second.writeTogether(with: first) {
        (second: inout sending Second, first: inout sending First) throws(E) -> sending R in
        try body(&first, &second)
      }
      if let result { return result }
      first.lock.withWriteLock {}
    }
  }
}

/// Runs `body` with the values of several protectors, while no other thread reads or writes any of them.
///
/// ```swift
/// withWriteLocks([ann, bob, eve]) { balances in
///   balances[0] -= 30
///   balances[1] += 20
///   balances[2] += 10
/// }
/// ```
///
/// It acquires all locks without a deadlock, and blocks and traps as `withWriteLocks(_:_:_:)` for two
/// protectors does. It also traps for more than 256 protectors. The values must be `Sendable`: otherwise
/// `body` could make two values of the array refer to one object, and the compiler would not notice.
///
/// - Parameters:
///   - protectors: The protectors, in any order, at most 256.
///   - body: Reads or changes the values, which are in the order of their protectors. It may replace values.
///     The call traps if `body` changes the number of values.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`. Changes that `body` has already made are kept.
/// - Complexity: O(*n* log *n*) for *n* protectors, besides waiting. It allocates arrays of the protectors
///   and of the values.
@_alwaysEmitIntoClient
public func withWriteLocks<Value: Sendable, Lock: TimedReadWriteLock & ~Copyable, R: ~Copyable, E: Error>(
  _ protectors: [LockProtector<Value, Lock>], _ body: (inout [Value]) throws(E) -> sending R
) throws(E) -> sending R {
  if protectors.count > writeLocksLimit { trapTooMany(protectors.count) }
  let ordered = protectors.sorted { $0.address < $1.address }
  if zip(ordered, ordered.dropFirst()).contains(where: { $0.address == $1.address }) { trapGivenTwice() }
  var outcome = Outcome<R, E>()
  var served: [ServedWaiters] = []
  while true {
    let unavailable = LockProtector.writeTogether(ordered) {
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
    guard let unavailable else { break }
    unavailable.lock.withWriteLock {}
  }
  for served in served where served.isNotEmpty { served.wake() }
  return try outcome.take()
}

/// The longest time that `withWriteLocks` waits for a further lock while it holds one.
///
/// If this time passes, the call releases all its locks, because the thread that holds the further lock may
/// be waiting for one of them.
@usableFromInline
let writeLocksTimeout = Duration.milliseconds(1)

/// The maximum number of protectors of `withWriteLocks(_:_:)`.
///
/// The sections of the locks nest on the stack, because a lock has no functions to acquire and to release it
/// separately. Each section takes about 600 bytes of stack, and 1 250 in debug builds. So 256 of them fit
/// into the 512 KB that secondary threads have on some systems, and leave room for the body.
@usableFromInline
let writeLocksLimit = 256

extension LockProtector where Value: ~Copyable, Lock: TimedReadWriteLock & ~Copyable {
  /// The address of the protector, which gives the order in which `withWriteLocks` acquires its locks.
  ///
  /// `ObjectIdentifier` would need macOS 15: it takes an `AnyObject`, and the class has noncopyable
  /// parameters.
  @_alwaysEmitIntoClient
  var address: UInt {
    // Under the explorer use a number that the explorer gives to the object, because the addresses may be in
    // another order in the next execution. The explorer forgets the number with the object's atomic words.
    if let thread = ExploredThreads.current { return thread.number(of: waiters.key &+ lockKeyOffset) }
    // Sound: the pointer is never dereferenced.
    return unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
  }

  /// Runs `body` with the values of this protector and of `other`, which must have the higher address.
  ///
  /// Returns the result of `body`. Returns `nil` without having called `body` if the lock of `other` could
  /// not be acquired within `writeLocksTimeout`.
  @_alwaysEmitIntoClient
  func writeTogether<
    Other: ~Copyable, OtherLock: TimedReadWriteLock & ~Copyable, R: ~Copyable, E: Error
  >(
    with other: LockProtector<Other, OtherLock>,
    _ body: (inout sending Value, inout sending Other) throws(E) -> sending R
  ) throws(E) -> sending R? {
    var served = ServedWaiters()
    var otherServed = ServedWaiters()
    // Deferred, so that threads are woken only after both locks have been released.
    defer {
      if served.isNotEmpty { served.wake() }
      if otherServed.isNotEmpty { otherServed.wake() }
    }
    let heldCount = LockNode.heldCount
    return try lock.withWriteLock { () throws(E) -> sending R? in
      predicate.willSatisfy()
      LockNode.acquiresSeveral(after: heldCount)
      defer { LockNode.acquiresSeveral(after: nil) }
      return try other.lock.withWriteLock(timeout: writeLocksTimeout) { () throws(E) -> sending R in
        LockNode.acquiresSeveral(after: nil)
        other.predicate.willSatisfy()
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
  /// Runs `body` while holding the locks of all protectors for writing, acquired in the given order.
  ///
  /// Returns `nil` when `body` has run. Otherwise returns the protector whose lock could not be acquired
  /// within `writeLocksTimeout`.
  @usableFromInline
  static func writeTogether(_ protectors: [LockProtector], _ body: () -> Void) -> LockProtector? {
    var unavailable: LockProtector?
    let heldCount = LockNode.heldCount
    func enter(_ position: Int) {
      guard position < protectors.count else { return body() }
      let protector = protectors[position]
      func enterNext() {
        LockNode.acquiresSeveral(after: nil)
        protector.predicate.willSatisfy()
        enter(position + 1)
      }
      if position == 0 { return protector.lock.withWriteLock { enterNext() } }
      LockNode.acquiresSeveral(after: heldCount)
      defer { LockNode.acquiresSeveral(after: nil) }
      let entered: Void? = protector.lock.withWriteLock(timeout: writeLocksTimeout) { enterNext() }
      if entered == nil { unavailable = protector }
    }
    enter(0)
    return unavailable
  }

  // Sound, in `moveOut` and `moveIn`: the calling thread is in a write section from `moveOut` to `moveIn`,
  // and evaluates no predicate on `value` meanwhile. So no code uses the property `value` while it is
  // uninitialised.

  /// Moves the value out; the property `value` is then uninitialised.
  ///
  /// The caller must be in a write section, and must call `moveIn` before the section ends.
  @usableFromInline
  func moveOut() -> Value {
    unsafe withUnsafeMutablePointer(to: &value) { unsafe $0.move() }
  }

  /// Initialises the property `value`; must be called after `moveOut`, in the same write section.
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
func trapTooMany(_ count: Int) -> Never {
  misuse(
    "withWriteLocks", "given \(count) protectors, and \(writeLocksLimit) is the limit",
    "guard what changes together with one protector")
}

@usableFromInline
@inline(never)
func trapCountChanged(from old: Int, to new: Int) -> Never {
  misuse(
    "withWriteLocks", "its body made \(new) values of \(old)",
    "change and replace the values, and leave their number as it is")
}
