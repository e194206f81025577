public import InterlockCore
public import ReadWriteLocks
public import UnfairLocks

/// A value, the lock that guards it, and the threads and tasks that wait for a predicate on the value.
///
/// `LockProtector` and `ExclusiveProtector` are its subclasses, and the only way to make one. Use this type in
/// the signature of a function for protectors of both kinds, such as `withWriteLocks(_:_:_:)`.
@_fixed_layout  // With library evolution, the inlinable initializer needs it.
// `@unchecked Sendable` is sound: `data` and `adaptiveSpin` say what guards them, and the rest is constant. It
// is unchecked only because the class has subclasses.
public class GuardedValue<Value: ~Copyable, Lock: Sendable & ~Copyable>: @unchecked Sendable {
  @usableFromInline
  final let ownLock: Lock

  // Beside its lock, so that a hand-over moves one line, also where threads wait for the lock (`LineTests`).
  // Sound: `data` is used only inside sections of `lock`, and changed only in write sections. The dynamic
  // exclusivity check would repeat at run time what the lock already ensures.
  @exclusivity(unchecked)
  @usableFromInline
  final nonisolated(unsafe) var data: Value

  @usableFromInline
  final let waiters = WaitQueue()

  /// The probe that stands for all predicates of this protector in the deadlock detector.
  @usableFromInline
  final let predicate: Probe

  /// The adaptive spin of threads that wait for a predicate.
  // Sound: `adaptiveSpin` is used only inside write sections of `lock`. The dynamic exclusivity check would
  // repeat what the lock ensures.
  @exclusivity(unchecked)
  @usableFromInline
  final nonisolated(unsafe) var adaptiveSpin = AdaptiveSpin()

  @_alwaysEmitIntoClient
  init(_ value: consuming sending Value, lock: consuming Lock, _ predicate: Primitive) {
    self.predicate = Probe(predicate)
    self.ownLock = lock
    unsafe data = value
  }
}

extension GuardedValue where Value: ~Copyable, Lock: ~Copyable {
  /// Chooses the waiters to notify, and returns them.
  ///
  /// The caller must be at the end of a write section, and must call `wake()` on the result after the
  /// section.
  @_alwaysEmitIntoClient
  @inline(__always)
  func serveWaiters() -> Waiters {
    // In optimized code the address of a zero-size value is unspecified, and may be 0. So pass any aligned
    // address that is not 0.
    if MemoryLayout<Value>.size == 0 {
      return unsafe waiters.serve(UnsafeRawPointer(bitPattern: MemoryLayout<Value>.alignment)!)
    }
    // Sound: the calling thread is in a write section, so the value stays in place and does not change.
    return unsafe withUnsafeMutablePointer(to: &data) { unsafe waiters.serve(UnsafeRawPointer($0)) }
  }
}

// MARK: - Descriptions
// In the file of the type: a linker takes files from an archive by the symbols that the program refers to, and nothing
// refers to a conformance.
//
// A debugger, `print` and `dump` may ask for a description at any time, even inside a section. So the
// description does not include the value. Describing a copy would be sound only for a `Sendable` value, which
// the conformances can't require. Describing the value under the lock would run foreign code in a section.

extension GuardedValue: CustomDebugStringConvertible where Value: ~Copyable, Lock: ~Copyable {
  /// The name of the protector's type, without the value.
  ///
  /// Never blocks.
  @_documentation(visibility: internal)
  public var debugDescription: String {
    "\(Self.self)"
  }
}

extension GuardedValue: CustomReflectable where Value: ~Copyable, Lock: ~Copyable {
  /// A mirror without children.
  ///
  /// Reflection does not acquire the lock, so it must not see the value. Never blocks.
  @_documentation(visibility: internal)
  public var customMirror: Mirror {
    Mirror(self, children: [])
  }
}

// MARK: - Replacing

extension GuardedValue where Value: ~Copyable, Lock: ~Copyable {
  // Sound, in both functions: the caller is in a write section, and gives up the new value; the protector no longer
  // stores the old one.

  @_alwaysEmitIntoClient
  @inline(always)
  func replace(with new: inout Value?) -> sending Value {
    nonisolated(unsafe) let old = unsafe Swift.exchange(&data, with: new.take()!)
    return unsafe old
  }

  @_alwaysEmitIntoClient
  @inline(always)
  func replace<E: Error>(
    with makeNew: (inout sending Value) throws(E) -> sending Value
  ) throws(E) -> sending Value {
    let new = try unsafe makeNew(&data)
    nonisolated(unsafe) let old = unsafe Swift.exchange(&data, with: new)
    return unsafe old
  }
}

// MARK: - The ends of a write section

extension GuardedValue where Value: ~Copyable, Lock: RawLock & ~Copyable {
  /// The identity of this protector in trap messages.
  @usableFromInline
  var primitive: Primitive {
    let kind = Lock.kindInProtector
    return predicate.primitive(.predicate).part(kind == Lock.kind ? .lockProtector : kind)
  }

  /// Begins a write section.
  @_alwaysEmitIntoClient
  @_transparent
  func beginWriting() {
    ownLock.beginAccess(for: Lock.kindInProtector)
    predicate.willSatisfy()
  }

  /// Ends a write section, and wakes the threads and tasks whose predicates have become true.
  @_alwaysEmitIntoClient
  @_transparent
  func endWriting() {
    // Served before the unlock, so that no wake-up is lost (see the header of `WaitQueue`); woken after it.
    let served = waiters.isNotEmpty ? serveWaiters() : Waiters()
    ownLock.endAccess(for: Lock.kindInProtector)
    if served.isNotEmpty { served.wake() }
  }

  /// Runs `body` in the write section that has begun, and ends it.
  @_alwaysEmitIntoClient
  @inline(always)
  func finishWriting<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try runSection({ () throws(E) in try unsafe body(&data) }, end: { endWriting() })
  }

  /// Runs `body` with `sent` in the write section that has begun, and ends it.
  @_alwaysEmitIntoClient
  @inline(always)
  func finishWriting<Sent: ~Copyable, R: ~Copyable, E: Error>(
    sending sent: consuming sending Sent,
    _ body: (inout sending Value, consuming sending Sent) throws(E) -> sending R
  ) throws(E) -> sending R {
    // Sound: the caller has given up the value, and `body` runs only once.
    nonisolated(unsafe) var sent: Sent? = consume sent
    return try finishWriting { value throws(E) -> sending R in
      nonisolated(unsafe) let taken = unsafe sent.take()!
      return try body(&value, unsafe taken)
    }
  }

  /// Begins a write section, if the lock is free now.
  @_alwaysEmitIntoClient
  @_transparent
  func beginWritingIfAvailable() -> Bool {
    guard ownLock.tryAccess(until: .passed, for: Lock.kindInProtector) else { return false }
    predicate.willSatisfy()
    return true
  }

  /// Begins a write section within `timeout`; throws a `TimeoutError` if it passes first.
  @_alwaysEmitIntoClient
  @_transparent
  func beginWriting(timeout: Duration) throws {
    let timeout = Timeout(timeout, for: ownLock.probe.primitive(Lock.kindInProtector))
    guard ownLock.beginAccess(timeout: timeout, for: Lock.kindInProtector) else { throw timeoutPassed() }
    predicate.willSatisfy()
  }

  // Out of line: code that gives up must not make a fast path longer.
  @usableFromInline
  @inline(never)
  func timeoutPassed() -> any Error { TimeoutError(primitive, of: self) }
}

extension RawLock where Self: ~Copyable {
  /// The kind that traps of a protector's lock name: the program does not know a lock that a protector makes.
  @_alwaysEmitIntoClient
  @_transparent
  static var kindInProtector: PrimitiveKind {
    let lock = ObjectIdentifier(Self.self)
    if lock == ObjectIdentifier(UnfairLock.self) { return .exclusiveProtector }
    return lock == ObjectIdentifier(BiasedReadWriteLock.self) ? .protector : Self.kind
  }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var protector: PrimitiveKind { PrimitiveKind("Protector", .sharesReads) }

  @_alwaysEmitIntoClient
  @_transparent
  package static var exclusiveProtector: PrimitiveKind { PrimitiveKind("ExclusiveProtector") }

  @_alwaysEmitIntoClient
  @_transparent
  package static var lockProtector: PrimitiveKind { PrimitiveKind("LockProtector") }

  @_alwaysEmitIntoClient
  @_transparent
  package static var severalProtectors: PrimitiveKind { PrimitiveKind("withWriteLocks") }

  @_alwaysEmitIntoClient
  @_transparent
  package static var predicate: PrimitiveKind { PrimitiveKind("predicate of a protector", .isPredicate) }
}
