internal import Dispatch
public import InterlockCore
public import InterlockWaits

/// A concurrent dispatch queue as a `ReadWriteLock`: reads are `sync`, writes are `sync` barriers.
///
/// This is the usual read/write lock of Apple's platforms. Use it for comparison, or where you need the
/// queue's order and quality of service. The body runs on the calling thread.
///
/// - **Fairness**: first in, first out; successive readers run together.
/// - **Recursion**: a read section inside a read section of the same lock just runs the body, without the
///   queue. Reading inside a write section and writing inside any section of the same lock trap.
/// - **Deadlocks it permits**: two locks in opposite orders. Recursion deadlocks undetected when a section
///   calls `sync` on another queue, and the body on that queue acquires the lock again.
/// - **Size**: an object and a queue.
public final class DispatchReadWriteLock: ReadWriteLock {
  private let queue: DispatchQueue
  /// Tells code in a section from other code: `DispatchQueue.getSpecific` returns a value for this key only
  /// in a section.
  private let inside = DispatchSpecificKey<Void>()

  // Sound: only a barrier writes `isWriting`, and only code in a section reads it. A barrier excludes all
  // other sections.
  private nonisolated(unsafe) var isWriting = false

  private let probe: Probe

  /// Makes a lock that is free.
  ///
  /// - Parameters:
  ///   - label: The queue's label, as shown by debuggers and crash reports, and the lock's name in deadlock
  ///     reports.
  ///   - file: The source file that makes the lock, for deadlock reports. Without the package trait
  ///     `DeadlockDetection` it costs nothing.
  ///   - line: The source line that makes the lock, for deadlock reports.
  @_alwaysEmitIntoClient
  public convenience init(label: StaticString = "", file: StaticString = #fileID, line: UInt = #line) {
    self.init(label: label, Primitive(.dispatch, label, file, line))
  }

  @usableFromInline
  init(label: StaticString, _ primitive: Primitive) {
    probe = Probe(primitive)
    let isUnnamed = label.utf8CodeUnitCount == 0
    queue = DispatchQueue(
      label: isUnnamed ? "Interlock.DispatchReadWriteLock" : "\(label)", attributes: .concurrent)
    queue.setSpecific(key: inside, value: ())
  }

  deinit {
    queue.setSpecific(key: inside, value: nil)
  }

  /// Promises that this type keeps the rules of `ReadWriteLock`; does nothing.
  @_documentation(visibility: internal)
  @unsafe public static func unsafePromiseOfExclusion() {
    // A write is a barrier, which runs alone on its queue. `DispatchQueue.sync` runs its closure once, before
    // it returns.
  }

  // MARK: Access

  /// Runs `body` while no thread writes; other readers may run at the same time.
  ///
  /// Blocks until all earlier writers have finished. Inside a read section of the same lock it never waits.
  /// Inside a write section it traps.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  public func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    var outcome = Outcome<R, E>()
    read {
      do throws(E) { outcome.put(.success(try body())) } catch { outcome.put(.failure(error)) }
    }
    return try outcome.take()
  }

  /// Runs `body` while no other thread reads or writes.
  ///
  /// Blocks until all earlier sections have finished. Traps inside a section of the same lock.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  public func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    var outcome = Outcome<R, E>()
    write {
      do throws(E) { outcome.put(.success(try body())) } catch { outcome.put(.failure(error)) }
    }
    return try outcome.take()
  }

  // MARK: The queue

  private var primitive: Primitive { probe.primitive(.dispatch) }

  private var isInsideSection: Bool { DispatchQueue.getSpecific(key: inside) != nil }

  @usableFromInline
  func read(_ body: () -> Void) {
    guard isInsideSection else {
      return onQueue(.read, body)
    }
    if unsafe isWriting {
      primitive.trapReadInWrite()
    }
    body()
  }

  @usableFromInline
  func write(_ body: () -> Void) {
    if isInsideSection {
      misuse(
        primitive, "locked for writing inside a section of the same lock",
        "take the write lock once, from outside")
    }
    onQueue(.write, flags: .barrier) { writeAlone(body) }
  }

  private func onQueue(_ mode: LockMode, flags: DispatchWorkItemFlags = [], _ body: () -> Void) {
    let wait = probe.willSubmit(mode)
    queue.sync(flags: flags) {
      let outer = probe.didBegin(wait, mode)
      body()
      probe.willEnd(wait, in: outer)
    }
    probe.didStopWaiting()
  }

  private func writeAlone(_ body: () -> Void) {
    unsafe isWriting = true
    body()
    unsafe isWriting = false
  }
}

extension PrimitiveKind {
  // It recognizes a nested read only while its own queue is the current one. If a section of another queue is
  // in between, the nested read waits.
  @_alwaysEmitIntoClient
  @_transparent
  package static var dispatch: PrimitiveKind {
    PrimitiveKind("DispatchReadWriteLock", .sharesReads | .waitsInNestedRead | .waitsForItself)
  }
}

extension DispatchReadWriteLock: CustomReflectable {
  /// A mirror without children.
  ///
  /// Reflection does not use the lock, so it must not see what the lock guards. Never blocks.
  @_documentation(visibility: internal)
  public var customMirror: Mirror { Mirror(self, children: []) }
}
