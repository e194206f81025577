/// A stored field of a final class.
final class PlainCount: CountHolder, @unchecked Sendable {
  // Sound, and `Sendable`: the suite uses it on one thread at a time.
  var count = 0

  func increment() { count += 1 }
}
