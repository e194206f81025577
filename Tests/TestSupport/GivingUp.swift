internal import InterlockCore

// Calls that may give up, as optionals. Each accepts one error only: any other one ends the test.

/// Returns the result of `call`; `nil` if `call` throws a `TimeoutError`.
package func unlessTimedOut<R: ~Copyable>(_ call: () throws -> sending R) -> sending R? {
  do {
    return try call()
  } catch is TimeoutError {
    return nil
  } catch {
    fatalError("threw \(error) instead of a TimeoutError")
  }
}

/// Returns whether `call` throws a `TimeoutError`.
package func timesOut(_ call: () throws -> Void) -> Bool {
  unlessTimedOut { try call() } == nil
}

/// Returns the result of `call`; `nil` if `call` throws a `TimeoutError`.
package func unlessTimedOut<R>(
  isolation: isolated (any Actor)? = #isolation, _ call: () async throws -> R
) async -> R? {
  do {
    return try await call()
  } catch is TimeoutError {
    return nil
  } catch {
    fatalError("threw \(error) instead of a TimeoutError")
  }
}

/// Returns the result of `call`; `nil` if `call` throws a `CancellationError`.
package func unlessCancelled<R>(
  isolation: isolated (any Actor)? = #isolation, _ call: () async throws -> R
) async -> R? {
  do {
    return try await call()
  } catch is CancellationError {
    return nil
  } catch {
    fatalError("threw \(error) instead of a CancellationError")
  }
}
