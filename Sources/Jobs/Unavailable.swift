public import Dispatch

// MARK: - Names of before

extension RateLimiter {
  /// Not available: it is `takePermit()`.
  @available(*, unavailable, renamed: "takePermit()")
  @discardableResult
  public func waitForPermit() -> Bool { false }

  /// Not available: it is `takePermit(timeout:)`, which throws.
  @available(*, unavailable, renamed: "takePermit(timeout:)", message: "it throws TimeoutError")
  public func waitForPermit(timeout: Duration) -> Bool { false }
}

extension Mailbox {
  /// Not available: it is `finish()`.
  @available(*, unavailable, renamed: "finish()")
  public func end() {}
}

/// Not available: the error's type follows from the jobs.
@available(
  *, unavailable,
  message: "leave 'throwing:' out, or write the type: { (jobs: borrowing JobScope<Failure>) in … }"
)
public func withJobs<R: ~Copyable, Failure: Error>(
  throwing failure: Failure.Type, on queue: DispatchQueue? = nil, maxConcurrentJobs: Int? = nil,
  _ body: (borrowing JobScope<Failure>) -> sending R
) async throws(Failure) -> sending R {
  try await withJobs(on: queue, maxConcurrentJobs: maxConcurrentJobs, body)
}

/// Not available: the error's type follows from the jobs, and a completion has its own isolation.
@available(
  *, unavailable,
  message:
    "leave 'throwing:' out; write 'completion: { @MainActor result in … }', or 'queue.async { … }' inside the completion"
)
public func withJobs<Failure: Error>(
  throwing failure: Failure.Type, on queue: DispatchQueue? = nil, maxConcurrentJobs: Int? = nil,
  completionOn completionQueue: DispatchQueue? = nil, _ body: (borrowing JobScope<Failure>) -> Void,
  completion: @escaping @Sendable (Result<Void, Failure>) -> Void
) {}

/// Not available: a completion has its own isolation.
@available(
  *, unavailable,
  message: "write 'completion: { @MainActor in … }', or 'queue.async { … }' inside the completion"
)
public func withJobs(
  on queue: DispatchQueue? = nil, maxConcurrentJobs: Int? = nil, completionOn completionQueue: DispatchQueue,
  _ body: (borrowing JobScope<Never>) -> Void, completion: @escaping @Sendable () -> Void
) {}

// MARK: - What other limits of rates have

extension RateLimiter {
  /// Not available: it is `takePermit()`.
  @available(*, unavailable, renamed: "takePermit()")
  public func acquire() {}

  /// Not available: it is `takePermitIfAvailable()`.
  @available(*, unavailable, renamed: "takePermitIfAvailable()")
  public func tryAcquire() -> Bool { false }
}
