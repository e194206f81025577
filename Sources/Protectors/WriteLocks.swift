public import InterlockCore
public import ReadWriteLocks

// Functions that acquire several protectors at the same time. A thread that holds a lock and waits for
// another one without a timeout may be part of a deadlock. Two rules prevent that:
// - All calls acquire their locks in the order of the protectors' addresses, so no two calls wait for each
//   other.
// - A thread that nests sections by hand may acquire the locks in another order. So only the wait for the
//   first lock has no limit (`acquireTogether`).

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
///   holds the other one for a millisecond at most; beside long sections, one call at a time in the process holds
///   it for twice the time that it has waited for the missing lock. In asynchronous code it blocks a thread of
///   the pool that all tasks share.
/// - **Fairness**: that of a write section of each protector. Beside busy readers a call takes a few times as
///   long as a write section. With `PosixReadWriteLock` it starves, as any wait with a timeout does there.
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
  First: ~Copyable, FirstLock: RawLock & ~Copyable,
  Second: ~Copyable, SecondLock: RawLock & ~Copyable,
  R: ~Copyable, E: Error
>(
  _ first: GuardedValue<First, FirstLock>, _ second: GuardedValue<Second, SecondLock>,
  _ body: (inout sending First, inout sending Second) throws(E) -> sending R
) throws(E) -> sending R {
  acquireBoth(first, second, until: .never)
  return try finishBoth(first, second, body)
}

/// Acquires both locks, until `deadline` at the latest; returns whether it did.
@_alwaysEmitIntoClient
@discardableResult
func acquireBoth<
  First: ~Copyable, FirstLock: RawLock & ~Copyable,
  Second: ~Copyable, SecondLock: RawLock & ~Copyable
>(
  _ first: GuardedValue<First, FirstLock>, _ second: GuardedValue<Second, SecondLock>,
  until deadline: Deadline
) -> Bool {
  if first.address == second.address { trapGivenTwice() }
  let isFirstLower = first.address < second.address
  return acquireTogether(
    count: 2, until: deadline,
    acquire: { index, timeout, heldCount in
      (index == 0) == isFirstLower
        ? first.beginTogether(timeout, heldCount) : second.beginTogether(timeout, heldCount)
    },
    giveUp: { index in (index == 0) == isFirstLower ? first.endTogether() : second.endTogether() })
}

/// Runs `body` with both values, whose locks the thread has acquired, and releases the locks.
@_alwaysEmitIntoClient
func finishBoth<
  First: ~Copyable, FirstLock: RawLock & ~Copyable,
  Second: ~Copyable, SecondLock: RawLock & ~Copyable,
  R: ~Copyable, E: Error
>(
  _ first: GuardedValue<First, FirstLock>, _ second: GuardedValue<Second, SecondLock>,
  afterWaiting hasWaited: Bool = false,
  _ body: (inout sending First, inout sending Second) throws(E) -> sending R
) throws(E) -> sending R {
  first.predicate.willSatisfy(afterWaiting: hasWaited, of: first.ownLock.probe)
  second.predicate.willSatisfy(afterWaiting: hasWaited, of: second.ownLock.probe)
  var served = Waiters()
  // Deferred, so that threads are woken only after both locks have been released.
  defer { if served.isNotEmpty { served.wake() } }
  return try runSection {
    () throws(E) in
    try unsafe body(&first.data, &second.data)
  } end: {
    if first.waiters.isNotEmpty { served = first.serveWaiters() }
    if second.waiters.isNotEmpty { served.append(contentsOf: second.serveWaiters()) }
    first.endTogether()
    second.endTogether()
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
/// protectors does. The values must be `Sendable`: otherwise
/// `body` could make two values of the array refer to one object, and the compiler would not notice.
///
/// - Parameters:
///   - protectors: The protectors, in any order.
///   - body: Reads or changes the values, which are in the order of their protectors. It may replace values.
///     The call traps if `body` changes the number of values.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`. Changes that `body` has already made are kept.
/// - Complexity: O(*n* log *n*) for *n* protectors, besides waiting. It allocates arrays of the protectors
///   and of the values.
@_alwaysEmitIntoClient
public func withWriteLocks<
  Value: Sendable, Lock: RawLock & ~Copyable, Guarded: GuardedValue<Value, Lock>, R: ~Copyable, E: Error
>(
  _ protectors: [Guarded], _ body: (inout [Value]) throws(E) -> sending R
) throws(E) -> sending R {
  let order = lockOrder(of: protectors)
  acquireAll(protectors, order, until: .never)
  return try finishAll(protectors, order, body)
}

// An unspecialized call pays thousands of instructions for each `sorted`, `zip` or `reversed` of protectors. So these
// functions go through indices, which the compiler specializes.

/// Returns the indices of the protectors in the order in which their locks are acquired.
@_alwaysEmitIntoClient
func lockOrder<Value, Lock: RawLock & ~Copyable, Guarded: GuardedValue<Value, Lock>>(
  of protectors: [Guarded]
) -> [Int] {
  lockOrder(of: protectors.indices.map { protectors[$0].address })
}

@_alwaysEmitIntoClient
@inline(never)
func lockOrder(of addresses: [UInt]) -> [Int] {
  let order = addresses.indices.sorted { addresses[$0] < addresses[$1] }
  if zip(order, order.dropFirst()).contains(where: { addresses[$0] == addresses[$1] }) { trapGivenTwice() }
  return order
}

/// Acquires all locks, until `deadline` at the latest; returns whether it did.
@_alwaysEmitIntoClient
@discardableResult
func acquireAll<Value, Lock: RawLock & ~Copyable, Guarded: GuardedValue<Value, Lock>>(
  _ protectors: [Guarded], _ order: [Int], until deadline: Deadline
) -> Bool {
  acquireTogether(
    count: order.count, until: deadline,
    acquire: { index, timeout, heldCount in protectors[order[index]].beginTogether(timeout, heldCount) },
    giveUp: { index in protectors[order[index]].endTogether() })
}

/// Runs `body` with all values, whose locks the thread has acquired, and releases the locks.
@_alwaysEmitIntoClient
func finishAll<
  Value: Sendable, Lock: RawLock & ~Copyable, Guarded: GuardedValue<Value, Lock>, R: ~Copyable, E: Error
>(
  _ protectors: [Guarded], _ order: [Int], afterWaiting hasWaited: Bool = false,
  _ body: (inout [Value]) throws(E) -> sending R
) throws(E) -> sending R {
  for index in order {
    protectors[index].predicate.willSatisfy(afterWaiting: hasWaited, of: protectors[index].ownLock.probe)
  }
  var served = Waiters()
  defer { if served.isNotEmpty { served.wake() } }
  var values = protectors.map { $0.moveOut() }
  return try runSection {
    () throws(E) in
    try body(&values)
  } end: {
    if values.count != protectors.count { trapCountChanged(from: protectors.count, to: values.count) }
    for index in protectors.indices {
      let protector = protectors[index]
      protector.moveIn(values[index])
      if protector.waiters.isNotEmpty { served.append(contentsOf: protector.serveWaiters()) }
    }
    for index in order.reversed() { protectors[index].endTogether() }
  }
}

/// Acquires `count` locks, whose order must be the same in all calls.
///
/// While the call holds a lock, it waits for another one for a millisecond only. Then it releases all locks, waits
/// for the missing one alone, and begins again. So a thread that nests sections in another order goes on as soon
/// as the timeout has passed.
///
/// Beside long sections each second attempt is patient (`AttemptTimeout`), so that it seldom fails.
///
/// - Parameters:
///   - acquire: Acquires the lock with the given index; returns `false` when the timeout has passed. `nil`
///     waits forever. `heldCount` is the `Probe.heldCount` before the first lock; `nil` if the call has a deadline,
///     and so is part of no deadlock.
///   - giveUp: Releases the lock with the given index.
/// - Returns: Whether the locks are acquired; `false` only after `deadline`.
@usableFromInline
@discardableResult
func acquireTogether(
  count: Int, until deadline: Deadline = .never,
  acquire: (_ index: Int, _ timeout: Duration?, _ heldCount: Int?) -> Bool, giveUp: (_ index: Int) -> Void
) -> Bool {
  let heldCount = deadline == .never ? Probe.heldCount : nil
  var limit = AttemptTimeout()
  while true {
    let missing = (0..<count).first { index in
      if index == 1 { limit.begin(waitsLeft: count - 1) }
      return !acquire(index, deadline.remaining(atMost: index == 0 ? nil : limit.timeout), heldCount)
    }
    if let missing { for index in (0..<missing).reversed() { giveUp(index) } }
    limit.end()
    guard let missing else { return true }
    let isAcquired = limit.learn {
      guard !deadline.hasPassed, acquire(missing, deadline.remaining, heldCount) else { return false }
      giveUp(missing)
      return true
    }
    guard isAcquired else { return false }
  }
}

extension Deadline {
  /// The time from now to the deadline, at most `timeout`; `nil` without either.
  fileprivate func remaining(atMost timeout: Duration?) -> Duration? {
    guard let remaining else { return timeout }
    return timeout.map { min($0, remaining) } ?? remaining
  }
}

/// For how long a call of `withWriteLocks` waits for a lock while it holds others: for a millisecond, or, in a patient
/// attempt, for twice the time for which it has waited for the missing lock alone.
///
/// Only one call at a time is patient, once it holds its first lock, and only if no other one was while it waited for
/// the missing one: otherwise calls would wait for one another's timeouts, and double them up to minutes. And the
/// attempt after a patient one waits for a millisecond again: beside a thread that nests sections without a pause most
/// attempts fail, and a timeout that grew with each would have no bound, either.
private struct AttemptTimeout {
  private static var impatient: Duration { .milliseconds(1) }

  private(set) var timeout = impatient
  /// The timeout of the next attempt, if it is patient.
  private var longer: Duration?
  private var turn: PatientTurn?

  /// Makes the attempt patient if the call has learned how long it takes, and no other call is patient.
  mutating func begin(waitsLeft: Int) {
    guard let longer else { return }
    turn = PatientTurn(lasting: longer * waitsLeft)
    if turn != nil { timeout = longer }
  }

  mutating func end() {
    turn?.end()
    turn = nil
    timeout = Self.impatient
  }

  /// Measures how long `wait`, the wait for the missing lock alone, takes; returns its result.
  mutating func learn(from wait: () -> Bool) -> Bool {
    let lastTurn = PatientTurn.lastEnd
    let began = Deadline.now
    let result = wait()
    let isMeasured = longer == nil && lastTurn <= began && lastTurn == PatientTurn.lastEnd
    longer = isMeasured ? (Self.impatient + .nanoseconds(Deadline.now - began)) * 2 : nil
    return result
  }
}

/// The time in which a call of `withWriteLocks` is patient, and no other one in the process.
///
/// It has an end from the beginning: after a fork, the child may have no thread that would end it.
private struct PatientTurn {
  private let latestEnd: UInt64

  private static let word = AtomicWord()

  /// When the last turn ended, or will have ended, on the clock of `Deadline.now`; another time for each turn.
  ///
  /// It never ends for threads of the explorer, to which a long timeout is the same as a short one.
  static var lastEnd: UInt64 { ExploredThreads.current == nil ? word.load(.relaxed) : .max }

  /// Begins a turn of at most `duration`; `nil` if another one has not ended.
  init?(lasting duration: Duration) {
    let lastEnd = Self.lastEnd
    let now = Deadline.now
    latestEnd = Deadline(after: duration, from: now).nanoseconds
    if lastEnd > now { return nil }
    guard Self.word.compareExchange(expected: lastEnd, desired: latestEnd, .relaxed).exchanged
    else { return nil }
  }

  func end() {
    _ = Self.word.compareExchange(expected: latestEnd, desired: Deadline.now, .relaxed)
  }
}

extension GuardedValue where Value: ~Copyable, Lock: RawLock & ~Copyable {
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

  /// Begins a write section, if the lock can be acquired within `timeout`; `nil` waits forever.
  @_alwaysEmitIntoClient
  func beginTogether(_ timeout: Duration?, _ heldCount: Int?) -> Bool {
    if let timeout {
      Probe.acquiresSeveral(after: heldCount)
      defer { Probe.acquiresSeveral(after: nil) }
      let timeout = Timeout(timeout, for: primitive)
      guard ownLock.beginAccess(timeout: timeout, for: Lock.kindInProtector) else { return false }
    } else {
      ownLock.beginAccess(for: Lock.kindInProtector)
    }
    return true
  }

  /// Ends a write section that `beginTogether` has begun.
  @_alwaysEmitIntoClient
  func endTogether() {
    ownLock.endAccess(for: Lock.kindInProtector)
  }
}

extension GuardedValue where Lock: RawLock & ~Copyable {
  // Sound, in `moveOut` and `moveIn`: the calling thread is in a write section from `moveOut` to `moveIn`,
  // and evaluates no predicate on `data` meanwhile. So no code uses the property `data` while it is
  // uninitialized.

  /// Moves the value out; the property `data` is then uninitialized.
  ///
  /// The caller must be in a write section, and must call `moveIn` before the section ends.
  @usableFromInline
  func moveOut() -> Value {
    unsafe withUnsafeMutablePointer(to: &data) { unsafe $0.move() }
  }

  /// Initializes the property `data`; must be called after `moveOut`, in the same write section.
  @usableFromInline
  func moveIn(_ new: Value) {
    unsafe withUnsafeMutablePointer(to: &data) { unsafe $0.initialize(to: new) }
  }
}

@usableFromInline
@inline(never)
func trapGivenTwice() -> Never {
  misuse(Primitive(.severalProtectors), "given the same protector twice", "pass each protector once")
}

@usableFromInline
@inline(never)
func trapCountChanged(from old: Int, to new: Int) -> Never {
  misuse(
    Primitive(.severalProtectors), "its body made \(new) values of \(old)",
    "change and replace the values, and leave their number as it is")
}
