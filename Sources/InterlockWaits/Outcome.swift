/// Carries the result or the error of a body through a function that supports neither typed errors nor
/// noncopyable results, such as `DispatchQueue.sync` or a closure that returns nothing.
@usableFromInline
@frozen
package struct Outcome<Success: ~Copyable, Failure: Error>: ~Copyable, @unchecked Sendable {
  // `Outcome` is `@unchecked Sendable`, which is sound: each value is owned by one call, which calls `take`
  // only after the body that calls `put` has ended. The result is passed to `put` as `sending`, so no other
  // thread uses the result.
  @usableFromInline
  nonisolated(unsafe) var result: Result<Success, Failure>?

  @_alwaysEmitIntoClient
  package init() {}

  @_alwaysEmitIntoClient
  package mutating func put(_ result: consuming sending Result<Success, Failure>) {
    unsafe self.result = consume result
  }

  /// Whether a result is stored.
  @_alwaysEmitIntoClient
  package var isPresent: Bool {
    switch unsafe result {
    case .none: false
    case .some: true
    }
  }

  /// Removes the stored result; returns its value or throws its error.
  ///
  /// Traps if no result is stored.
  @_alwaysEmitIntoClient
  package mutating func take() throws(Failure) -> sending Success {
    let taken = unsafe result.take()!
    return try taken.get()
  }
}
