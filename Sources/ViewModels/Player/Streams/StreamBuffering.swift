/// Which values a stream keeps until its reader fetches them.
public enum StreamBuffering: Sendable {
  /// The latest value: a slow reader skips earlier ones.
  case latest

  /// All values.
  case all
}
