public import InterlockCore

/// The lock of this module's own lists, which no program and no tool sees.
@usableFromInline
@frozen
package struct CoreLock: ~Copyable, Sendable {
  @usableFromInline
  let core: UnfairLockCore

  @_alwaysEmitIntoClient
  package init() {
    core = UnfairLockCore()
  }

  /// Runs `body` while holding the lock.
  @_alwaysEmitIntoClient
  package borrowing func withLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    _ = core.lock(for: Primitive(.unfairLock))
    return try runSection(body) { core.unlock(for: Primitive(.unfairLock)) }
  }
}
