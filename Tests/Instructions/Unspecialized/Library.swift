// A library that is not inlinable: its generic functions run unspecialized, so that what they call costs metadata and value witnesses.
package import Interlock
import Synchronization

/// The box of the article *Adopting*.
package final class Box<Value> {
  private let lock = UnfairLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLockedValue<T>(_ body: (inout Value) throws -> T) rethrows -> T {
    func section() throws -> T { try body(&value) }
    return try lock.withLock(section)
  }
}

/// The same around a pair of calls, as the least that a box can cost.
package final class PairBox<Value> {
  private let lock = UnfairLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLockedValue<T>(_ body: (inout Value) throws -> T) rethrows -> T {
    unsafe lock.unsafeLock()
    defer { unsafe lock.unsafeUnlock() }
    return try body(&value)
  }
}

/// The same around the standard library's mutex.
package final class MutexBox<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  package init(_ value: Value) { mutex = Mutex(value) }

  package func withLockedValue<T: Sendable>(_ body: (inout Value) throws -> T) rethrows -> T {
    try mutex.withLock { value in try body(&value) }
  }
}

// MARK: Locks

package func forwarded<R, Lock: RawLock & ~Copyable>(_ lock: borrowing Lock, _ body: () throws -> R) rethrows
  -> R
where Lock.ReadToken == Never {
  try lock.withLock(body)
}

package func forwarded<R>(reading lock: borrowing some ReadWriteLock & ~Copyable, _ body: () throws -> R)
  rethrows -> R
{
  try lock.withReadLock(body)
}

package func forwarded<R>(writing lock: borrowing some ReadWriteLock & ~Copyable, _ body: () throws -> R)
  rethrows -> R
{
  try lock.withWriteLock(body)
}

package final class Locks<R: Sendable>: Sendable {
  let unfairLock = UnfairLock()
  let compactLock = CompactReadWriteLock()
  let biasedLock = BiasedReadWriteLock()
  let spinLock = SpinReadWriteLock()
  let posixLock = PosixReadWriteLock()

  package init() {}

  package func exclusive(_ body: () -> R) -> R { unfairLock.withLock { body() } }
  package func exclusiveForwarded(_ body: () throws -> R) rethrows -> R { try unfairLock.withLock(body) }
  package func exclusiveIfAvailable(_ body: () -> R) -> R? { unfairLock.withLockIfAvailable { body() } }
  package func exclusiveTimeout(_ body: () -> R) -> R? {
    try? unfairLock.withLock(timeout: .seconds(1)) { body() }
  }
  package func compactRead(_ body: () -> R) -> R { compactLock.withReadLock { body() } }
  package func compactWrite(_ body: () -> R) -> R { compactLock.withWriteLock { body() } }
  package func compactReadForwarded(_ body: () throws -> R) rethrows -> R {
    try compactLock.withReadLock(body)
  }
  package func compactWriteForwarded(_ body: () throws -> R) rethrows -> R {
    try compactLock.withWriteLock(body)
  }
  package func compactReadIfAvailable(_ body: () -> R) -> R? {
    compactLock.withReadLockIfAvailable { body() }
  }
  package func compactReadTimeout(_ body: () -> R) -> R? {
    try? compactLock.withReadLock(timeout: .seconds(1)) { body() }
  }
  package func biasedRead(_ body: () -> R) -> R { biasedLock.withReadLock { body() } }
  package func biasedWrite(_ body: () -> R) -> R { biasedLock.withWriteLock { body() } }
  package func spinRead(_ body: () -> R) -> R { spinLock.withReadLock { body() } }
  package func posixRead(_ body: () -> R) -> R { posixLock.withReadLock { body() } }
}

// MARK: Values

package final class Values<Value: Sendable & Comparable>: Sendable {
  let exclusiveProtector: ExclusiveProtector<Value>
  let protector: Protector<Value>
  let otherProtector: Protector<Value>
  let currentSnapshot: Snapshot<Value>
  let atomicProperty: AtomicProperty<Value>
  let onceCell: OnceCell<Value>
  let lifecycle = Lifecycle()
  let least: Value

  package init(_ value: Value) {
    exclusiveProtector = ExclusiveProtector(value)
    protector = Protector(value)
    otherProtector = Protector(value)
    currentSnapshot = Snapshot(value)
    atomicProperty = AtomicProperty(value)
    onceCell = OnceCell(value)
    least = value
    lifecycle.activate()
  }

  package func exclusive<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R {
    exclusiveProtector.withLock { body($0) }
  }
  package func exclusiveForwarded<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    try exclusiveProtector.withLock(body)
  }
  package func exclusiveIfAvailable<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R? {
    exclusiveProtector.withLockIfAvailable { body($0) }
  }
  package func exclusiveTimeout<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R? {
    try? exclusiveProtector.withLock(timeout: .seconds(1)) { body($0) }
  }
  package func exclusiveWaiting<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R {
    exclusiveProtector.withLock(waitingUntil: { [least] in $0 >= least }) { body($0) }
  }
  package func exclusiveSending<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R {
    exclusiveProtector.withLock(sending: least) { value, _ in body(value) }
  }
  package func exclusiveExchange() -> Value { exclusiveProtector.exchange { [least] _ in least } }
  package func read<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R {
    protector.withReadLock { body($0) }
  }
  package func readForwarded<R>(_ body: (borrowing Value) throws -> R) rethrows -> R {
    try protector.withReadLock(body)
  }
  package func write<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R {
    protector.withWriteLock { body($0) }
  }
  package func writeForwarded<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    try protector.withWriteLock(body)
  }
  package func readIfAvailable<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R? {
    protector.withReadLockIfAvailable { body($0) }
  }
  package func readTimeout<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R? {
    try? protector.withReadLock(timeout: .seconds(1)) { body($0) }
  }
  package func readWaiting<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R {
    protector.withReadLock(waitingUntil: { [least] in $0 >= least }) { body($0) }
  }
  package func writeWaiting<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R {
    protector.withWriteLock(waitingUntil: { [least] in $0 >= least }) { body($0) }
  }
  package func exchange() -> Value { protector.exchange { [least] _ in least } }
  package func both<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R {
    withWriteLocks(protector, otherProtector) { value, _ in body(value) }
  }
  package func current<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R {
    currentSnapshot.withCurrent { body($0) }
  }
  package func property<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R {
    atomicProperty.update { body($0) }
  }
  package func cell<R>(_ body: (borrowing Value) -> R) -> R? { onceCell.withValue(body) }
  package func cell() -> Value { onceCell.value { [least] in least } }
  package func whileActive<R: Sendable>(_ body: @Sendable () -> R) -> R? { lifecycle.whileActive { body() } }

  package func writeTimeout<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R? {
    try? protector.withWriteLock(timeout: .seconds(1)) { body($0) }
  }
  package func bothWaiting<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R {
    withWriteLocks(protector, otherProtector, waitingUntil: { [least] value, _ in value >= least }) {
      value, _ in
      body(value)
    }
  }
  package func all<R: Sendable>(_ body: @Sendable (borrowing Value) -> R) -> R {
    withWriteLocks([protector, otherProtector]) { values in body(values[0]) }
  }
}

// MARK: Asynchronous calls, in the caller's isolation, so that they suspend nothing and stay on one thread
// Left out here and above: waits with a timeout, because reading the clock takes other numbers of instructions.

package final class AsyncValues<Value: Sendable & Comparable>: Sendable {
  let mutex: AsyncMutex<Value>
  let semaphore = AsyncSemaphore(permits: 2)
  let exclusiveProtector: ExclusiveProtector<Value>
  let protector: Protector<Value>
  let otherProtector: Protector<Value>
  let mailbox = Mailbox<Value>(capacity: 2)
  let least: Value

  package init(_ value: Value) {
    mutex = AsyncMutex(value)
    exclusiveProtector = ExclusiveProtector(value)
    protector = Protector(value)
    otherProtector = Protector(value)
    least = value
  }

  package func locked<R: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @Sendable (borrowing Value) -> R
  ) async -> R {
    await mutex.withLock { body($0) }
  }
  package func lockedUnlessCancelled<R: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @Sendable (borrowing Value) -> R
  ) async -> R? {
    try? await mutex.withLockUnlessCancelled { body($0) }
  }
  package func lockedTimeout<R: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @Sendable (borrowing Value) -> R
  ) async -> R? {
    try? await mutex.withLock(timeout: .seconds(1)) { body($0) }
  }
  package func lockedIfAvailable<R: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @Sendable (borrowing Value) -> R
  ) async -> R? {
    await mutex.withLockIfAvailable { body($0) }
  }
  package func permit<R: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @Sendable () -> R
  ) async -> R {
    await semaphore.withPermit { body() }
  }
  package func permitUnlessCancelled<R: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @Sendable () -> R
  ) async -> R? {
    try? await semaphore.withPermitUnlessCancelled { body() }
  }
  package func permitTimeout<R: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @Sendable () -> R
  ) async -> R? {
    try? await semaphore.withPermit(timeout: .seconds(1)) { body() }
  }
  package func permitIfAvailable<R: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @Sendable () -> R
  ) async -> R? {
    await semaphore.withPermitIfAvailable { body() }
  }
  package func exclusiveWaiting<R: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @Sendable (borrowing Value) -> R
  ) async -> R? {
    try? await exclusiveProtector.withLock(waitingUntil: { [least] in $0 >= least }) { body($0) }
  }
  package func readWaiting<R: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @Sendable (borrowing Value) -> R
  ) async -> R? {
    try? await protector.withReadLock(waitingUntil: { [least] in $0 >= least }) { body($0) }
  }
  package func writeWaiting<R: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @Sendable (borrowing Value) -> R
  ) async -> R? {
    try? await protector.withWriteLock(waitingUntil: { [least] in $0 >= least }) { body($0) }
  }
  package func bothWaiting<R: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @Sendable (borrowing Value) -> R
  ) async -> R? {
    try? await withWriteLocks(
      protector, otherProtector, waitingUntil: { [least] value, _ in value >= least }
    ) { value, _ in body(value) }
  }
  package func sendAndReceive(isolation: isolated (any Actor)? = #isolation) async -> Value? {
    _ = try? await mailbox.send(least)
    return try? await mailbox.receive()
  }
  package func sendIfRoomAndReceive(isolation: isolated (any Actor)? = #isolation) async -> Value? {
    _ = mailbox.sendIfRoom(least)
    return try? await mailbox.receive()
  }
}

// MARK: Numbers

package final class Numbers<Value: FixedWidthInteger & AtomicRepresentable & Sendable>: Sendable
where Value.AtomicRepresentation: BitwiseCopyable {
  let property: LockFreeProperty<Value>

  package init(_ value: Value) { property = LockFreeProperty(value) }

  package func load() -> Value { property.load(ordering: .acquiring) }
  package func store() -> Value {
    property.store(1, ordering: .releasing)
    return 1
  }
  package func add() -> Value { property.wrappingAdd(1, ordering: .relaxed).oldValue }
  package func update<R: Sendable>(_ body: @Sendable (inout Value) -> R) -> R {
    property.update(ordering: .relaxed) { body(&$0) }
  }
}

/// A clock that stands still, as another one takes other instructions on each machine.
package struct StillClock: Clock {
  package var now: SuspendingClock.Instant { SuspendingClock().systemEpoch }
  package var minimumResolution: Duration { .nanoseconds(1) }

  package init() {}

  package func sleep(until deadline: SuspendingClock.Instant, tolerance: Duration?) async throws {}
}
