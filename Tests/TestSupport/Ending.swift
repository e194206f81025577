import InterlockCore
import Testing

/// How a call that may give up has ended.
package enum Ending: Sendable, Equatable {
  case returned
  /// The call has thrown a `TimeoutError` of its own object.
  case timedOut
  case cancelled
  /// The call has thrown another error, for instance the `TimeoutError` of another object.
  case failed
}

/// Runs a call that may give up; returns how it has ended.
///
/// - Parameter object: The object whose timeout it is; `nil` if the call's error has no object.
package func ending<R: ~Copyable>(
  of object: AnyObject? = nil, isolation: isolated (any Actor)? = #isolation,
  _ call: nonisolated(nonsending) () async throws -> R
) async -> Ending {
  do {
    keepExecutor()
    _ = try await call()
    return .returned
  } catch is CancellationError {
    return .cancelled
  } catch let error as TimeoutError {
    if let object { return error.isThrown(by: object) ? .timedOut : .failed }
    return .timedOut
  } catch {
    return .failed
  }
}
