public import InterlockCore
public import UnfairLocks

/// A value that threads read without blocking, while others replace it.
///
/// ```swift
/// let routes = Snapshot(["/": "index.html"])
///
/// let target = routes.withCurrent { $0["/news"] }
/// routes.update { $0["/news"] = "news.html" }
/// ```
///
/// A reader borrows the value that is current when its read begins, and may use that value until its closure
/// returns. Publications don't wait for readers. Each makes a new value current; the replaced value is
/// destroyed some time after its last reader has finished.
///
/// Use it for values that are read much more often than replaced: configurations, routing tables, the newest
/// rows of a table. `Protector` changes its value in place instead, which is cheaper where changes are
/// frequent or the value is large.
///
/// - **Blocking**: reads never block; a read repeats two loads if a publication falls between them. `publish`
///   and `update` wait for each other, and never for readers. If values of the snapshot are replaced faster than the
///   system can free them, each of these calls sleeps for a millisecond.
/// - **Nesting**: reads nest, of one snapshot or of several, and may publish.
/// - **Replaced values**: a replaced value is destroyed on a thread of this module: within about 40
///   milliseconds, or later if it is being read. Its `deinit` runs there, and may publish to the same
///   snapshot. One that takes long holds up the values of other snapshots for about 20 milliseconds, and those of its
///   own to its end. The current value is destroyed together with the snapshot.
/// - **Memory**: the values replaced in the last 80 milliseconds at most, unless their ends take longer than that together,
///   and one more for each read under way. Frequent publications of large values therefore need memory in proportion to their rate and
///   size.
/// - **`fork`**: in the child, reads, publications and reclaiming go on. If another thread was inside `publish`
///   or `update` of a snapshot at the fork, these calls on that snapshot never return in the child; if one was
///   making the first snapshot of the process, no snapshot works there. Values that the parent was freeing at the
///   fork leak in the child.
/// - **Recursion**: `publish` or `update` inside the body of `update` traps.
/// - **Size**: an allocation for the snapshot, and one for each value.
@_fixed_layout  // With library evolution, the inlinable initializer needs it.
public final class Snapshot<Value: Sendable & ~Copyable>: Sendable {
  /// The address of the current value's box, which is never 0.
  @usableFromInline
  let box: AtomicWord

  /// Serializes `publish` and `update`.
  @usableFromInline
  let writing: UnfairLock

  /// Makes a snapshot.
  ///
  /// - Parameters:
  ///   - value: The first value.
  ///   - label: The snapshot's name in the reports of `DeadlockDetection`; without the trait it costs nothing.
  ///   - file: The file in those reports.
  ///   - line: The line in those reports.
  @_alwaysEmitIntoClient
  public init(
    _ value: consuming Value, label: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    // Here and not in the first read, which must not wait, and during which another thread may fork.
    HazardRegistry.prepare()
    box = AtomicWord(UInt64(UInt(bitPattern: unsafe SnapshotBox.allocate(value))))
    writing = UnfairLock(Primitive(.snapshot, label, file, line))
  }

  @_alwaysEmitIntoClient
  deinit {
    // No thread reads the value any more, because each reader keeps the snapshot alive.
    SnapshotBox<Value>.dispose(UInt(truncatingIfNeeded: box.load(.acquiring)))
  }

  // MARK: Reading

  /// Runs `body` with the current value.
  ///
  /// Never blocks. The value stays alive and unchanged until `body` ends, even if other values are
  /// published.
  ///
  /// - Parameter body: Reads the value. It may take long, read other snapshots, and publish.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  /// - Complexity: Two loads and two stores, plus the cost of `body`. A nested read, and a thread's first
  ///   read, also search for a hazard slot.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withCurrent<R: ~Copyable, E: Error>(
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    let slot = HazardSlot.free
    let address = slot.protect(box)
    defer {
      slot.vacate()
      // Keeps the snapshot, which owns the value, alive until `body` has ended.
      withExtendedLifetime(self) {}
    }
    // Sound: the slot announces the box until `vacate`, so no thread frees it, and its value never changes.
    return try unsafe body(SnapshotBox<Value>.at(address).pointee.value)
  }

  // MARK: Publishing

  /// Makes `new` the current value.
  ///
  /// Waits while another thread publishes or updates, and never for readers. Traps inside the body of
  /// `update` of the same snapshot.
  ///
  /// - Parameter new: The value. Reads that begin after this call has returned see it, or a later one.
  /// - Complexity: O(1), and one allocation.
  @_alwaysEmitIntoClient
  public func publish(_ new: consuming Value) {
    let box = unsafe SnapshotBox.allocate(new)
    beginWriting("published inside the body of its own update")
    let old = unsafe replace(by: box)
    writing.endAccess(for: .snapshot)
    Reclamation.retire(old, of: address)
  }

  /// The address of the snapshot.
  @_alwaysEmitIntoClient
  var address: UInt {
    // Sound: the address is not used as a reference. Before macOS 15, an `ObjectIdentifier` needs a copyable `Value`.
    unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
  }

  /// Makes the value in the box `new` current, and returns the address of the replaced box, which the
  /// caller must retire.
  ///
  /// The caller must hold `writing`.
  @_alwaysEmitIntoClient
  @inline(__always)
  func replace(by new: UnsafeMutablePointer<SnapshotBox<Value>>) -> UInt {
    let old = box.exchange(UInt64(UInt(bitPattern: new)), .sequentiallyConsistent)  // P1
    return UInt(truncatingIfNeeded: old)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func beginWriting(_ done: @autoclosure () -> StaticString) {
    if writing.isHeldByCurrentThread { trapInsideUpdate(done()) }
    writing.beginAccess(for: .snapshot)
  }

  @usableFromInline
  @inline(never)
  func trapInsideUpdate(_ done: StaticString) -> Never {
    misuse(
      writing.probe.primitive(.snapshot), "\(done)",
      "change the value that the body gets, or publish after update has returned")
  }
}

extension Snapshot where Value: Copyable {
  /// A copy of the current value.
  ///
  /// Never blocks.
  @_alwaysEmitIntoClient
  public var current: Value {
    @inline(__always) get { withCurrent { $0 } }
  }

  /// Copies the current value, changes the copy, and makes it current.
  ///
  /// Updates and publications come one after another, so none is lost. Waits while another thread publishes
  /// or updates, and never for readers. Traps inside the body of `update` of the same snapshot.
  ///
  /// - Parameter body: Changes the copy. It runs once.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; then nothing is published.
  /// - Complexity: The cost of `body`, and one allocation.
  @_alwaysEmitIntoClient
  public func update<R: ~Copyable, E: Error>(
    _ body: (inout Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    beginWriting("updated inside the body of its own update")
    // Sound: this thread holds `writing`, so no other thread can replace and retire the current box.
    let current = unsafe SnapshotBox<Value>.at(UInt(truncatingIfNeeded: box.load(.relaxed)))
    let new = unsafe SnapshotBox.allocate(current.pointee.value)
    let result: R
    do throws(E) {
      result = try unsafe body(&new.pointee.value)
    } catch {
      writing.endAccess(for: .snapshot)
      // The value is destroyed after the unlock, because its `deinit` may use the snapshot.
      SnapshotBox<Value>.dispose(UInt(bitPattern: new))
      throw error
    }
    let old = unsafe replace(by: new)
    writing.endAccess(for: .snapshot)
    // As in `runSection`: a result that the caller ignores is destroyed after the unlock.
    withExtendedLifetime(result) {}
    Reclamation.retire(old, of: address)
    return result
  }
}

extension Snapshot: CustomReflectable where Value: ~Copyable {
  /// A mirror without children.
  ///
  /// Reflection announces nothing, so it must not see the value. Never blocks.
  @_documentation(visibility: internal)
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var snapshot: PrimitiveKind { PrimitiveKind("Snapshot") }
}
