public import InterlockCore

#if DeadlockDetection
  // Links the detector, which the core calls.
  internal import DeadlockDetection
#endif

/// The lock of this package's own lists, whose name only profiles show.
@usableFromInline
@frozen
package struct CoreLock: ~Copyable, Sendable {
  @usableFromInline
  let core: UnfairLockCore

  @_alwaysEmitIntoClient
  package init() {
    core = UnfairLockCore()
  }

  @_alwaysEmitIntoClient
  static var primitive: Primitive { Primitive(PrimitiveKind("internal lock")) }

  /// Runs `body` while holding the lock.
  @_alwaysEmitIntoClient
  package borrowing func withLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    _ = core.lock(for: Self.primitive)
    return try runSection(body) { core.unlock(for: Self.primitive) }
  }
}
