/// Runs `body` and then `end`, which ends a section, also if `body` throws.
///
/// Swift's optimizer ends the life of a result that the caller ignores after its last use, which is in the section.
/// Here the result lives until the section has ended, because its `deinit` may need the lock.
@_alwaysEmitIntoClient
@_transparent
package func runSection<R: ~Copyable, E: Error>(
  _ body: () throws(E) -> sending R, end: () -> Void
) throws(E) -> sending R {
  let result: R
  // Not `defer`: the compiler may make a function of the deferred code, which the fast path would have to call.
  do throws(E) {
    result = try body()
  } catch {
    end()
    throw error
  }
  end()
  withExtendedLifetime(result) {}
  return result
}
