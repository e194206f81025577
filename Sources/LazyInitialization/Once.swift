/// Something that is done once, by whichever thread comes first, and that others wait for.
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
/// A flag that is looked at and set in two steps lets two threads in; one that is set first lets the second thread go on
/// before the work is done.
///
/// ```swift
/// if !isMigrated {             // two threads may both find `false`
///   isMigrated = true          // and now a third one goes on while the first still migrates
///   try migrate()
/// }
/// ```
///
/// A `static let` gets this right for globals, but it can't throw, can't be tried again and can't be one per object.
///
/// - **Blocking**: a thread that comes while the body runs waits for it: it looks again for a few microseconds, then sleeps.
///   In asynchronous code it blocks a thread of the cooperative pool, or the actor's, for as long as the body takes.
/// - **Errors**: a body that throws leaves the work undone. The error goes to the caller whose body it was; one of the
///   waiting threads is woken and runs its own body.
/// - **Recursion**: `run` inside its own body, on the same thread, traps.
/// - **Deadlocks it permits**: a body that waits for another thread which calls `run` of the same `Once`. (A body may start
///   such threads; they wait until it has ended. It may not join them.) Two bodies that run each other's `Once`.
/// - **Size**: 4 bytes, stored inline where it is declared.
public struct Once: ~Copyable, Sendable {
  @usableFromInline
  let core: OnceCore

  /// Makes one whose work has not been done.
  @inlinable
  public init() {
    core = OnceCore()
  }

  /// Whether a body has run to its end.
  ///
  /// When it is `true`, all that the body did is visible to the caller. Never blocks.
  @inlinable
  public var isCompleted: Bool { core.isComplete }

  /// Runs `body`, unless one has run to its end before; when it returns, one has.
  ///
  /// Of all the bodies passed to it one runs at a time, and none after the first that does not throw. A caller that comes
  /// while one runs waits for it. Called inside its own body, on the same thread, it traps.
  ///
  /// - Parameter body: The work. All that it did is visible to every thread that `run` returns to.
  /// - Throws: What `body` throws; the work is then left to one of those who wait, or to the next caller.
  /// - Complexity: One load when the work is done.
  @inlinable
  @inline(__always)
  public borrowing func run<E: Error>(_ body: () throws(E) -> Void) throws(E) {
    if _slowPath(!core.isComplete) { try Self.runOrWait(core, body) }
  }

  // Not inlinable: a caller that could specialise it for its closure would retain what the closure captures, even where
  // the work is done. Static, because calling a method takes a register that the caller has to save before it looks.
  @usableFromInline
  @inline(never)
  static func runOrWait<E: Error>(_ core: borrowing OnceCore, _ body: () throws(E) -> Void) throws(E) {
    guard OnceCore.begin(core, .onceRun) else { return }
    do throws(E) {
      try body()
    } catch {
      OnceCore.abandon(core)
      throw error
    }
    OnceCore.finish(core)
  }
}
