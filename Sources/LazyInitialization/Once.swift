public import InterlockCore

/// Work that is done once, by the first thread that asks for it.
///
/// Other threads wait until the work is done.
///
/// ```swift
/// final class Database: Sendable {
///   private let migration = Once()
///
///   func connect() throws(MigrationError) {
///     try migration.run { () throws(MigrationError) in try migrate() }
///     …                      // all that migrate() did is visible here, on every thread
///   }
/// }
/// ```
///
/// # The bug it prevents
/// With a flag that is read and set in two steps, two threads may do the work. With a flag that is set first,
/// a second thread proceeds before the work is done.
///
/// ```swift
/// if !isMigrated {             // two threads may both find `false`
///   isMigrated = true          // from now on a third one proceeds, while the first still migrates
///   try migrate()
/// }
/// ```
///
/// A `static let` is right for globals, but it can't throw, can't be retried and can't be one per object.
///
/// - **Blocking**: while a body runs, other callers spin for a few microseconds, then sleep until it has
///   ended. In asynchronous code this blocks a thread of the cooperative pool, or the actor's, for as long as
///   the body takes.
/// - **Errors**: a body that throws leaves the work undone. Its caller gets the error. One of the waiting
///   threads is woken and runs its own body.
/// - **Recursion**: `run` inside its own body, on the same thread, traps.
/// - **Deadlocks it permits**: a body that waits for another thread that calls `run` of the same `Once` (a
///   body may start such threads, but must not join them); two `Once`s whose bodies run each other.
/// - **Size**: 4 bytes, stored inline where it is declared.
@frozen
public struct Once: ~Copyable, Sendable {
  @usableFromInline
  let core: OnceCore

  /// Makes a `Once` whose work has not been done.
  ///
  /// - Parameters:
  ///   - label: The object's name in the reports of `DeadlockDetection`; without the trait it costs nothing.
  ///   - file: The file in those reports.
  ///   - line: The line in those reports.
  @_alwaysEmitIntoClient
  public init(label: StaticString = "", file: StaticString = #fileID, line: UInt = #line) {
    core = OnceCore(Primitive(.once, label, file, line))
  }

  /// Whether a body has returned without an error.
  ///
  /// When it is `true`, all that the body did is visible to the caller. Never blocks.
  @_alwaysEmitIntoClient
  public var isComplete: Bool { core.isComplete }

  /// Runs `body`, unless an earlier body has returned without an error.
  ///
  /// When this function returns, a body has returned without an error: `body`, or that of another call.
  ///
  /// Only one body runs at a time, and none after the first that does not throw. Blocks while another thread
  /// runs a body. Traps if it is called inside its own body, on the same thread.
  ///
  /// - **Wait**: it ends with the other body; cancellation has no effect; no timeout; all together, or one of them
  ///   after a throw; no priority is lent; a throw leaves the work undone.
  ///
  /// - Parameter body: The work. Its effects are visible to every thread that returns from `run`.
  /// - Throws: The error of `body`. Then a waiting thread or the next caller does the work.
  /// - Complexity: One load when the work is done.
  @_alwaysEmitIntoClient
  @inline(__always)
  public borrowing func run<E: Error>(_ body: () throws(E) -> Void) throws(E) {
    core.probe.didPass()
    if _slowPath(!core.isComplete) { try Self.runOrWait(core, body) }
  }

  // Not inlinable: a caller that could specialise this function would retain the closure's captures even when
  // the work is done. Static, because a method call would make its inlined caller save one more register on
  // the fast path.
  @usableFromInline
  @inline(never)
  static func runOrWait<E: Error>(_ core: borrowing OnceCore, _ body: () throws(E) -> Void) throws(E) {
    guard OnceCore.begin(core, .once, "run called from inside its own body") else { return }
    do throws(E) {
      try body()
    } catch {
      OnceCore.abandon(core)
      throw error
    }
    OnceCore.finish(core)
  }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var once: PrimitiveKind { PrimitiveKind("Once", .isInitialization) }
}
