package import InterlockCore

extension MonotonicClock {
  /// Runs `body`, and returns its result and the elapsed time.
  package static func measure<Result>(_ body: () -> Result) -> (result: Result, elapsed: Duration) {
    let start = now
    let result = body()
    return (result, .nanoseconds(now - start))
  }
}
