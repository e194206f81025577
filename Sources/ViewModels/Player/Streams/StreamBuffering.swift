/// What is kept of a stream for a reader that has not fetched it yet.
public enum StreamBuffering: Sendable {
  /// The latest value: a slow reader skips those before it.
  case latest

  /// All values, as many as come before the reader fetches them.
  case all
}
