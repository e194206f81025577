/// A number in a stored field of a final class, without any protection.
final class PlainCount: CountHolder, @unchecked Sendable {
  // `PlainCount` is `@unchecked Sendable`, which is sound: the suite uses an object on one thread at a time.
  var count = 0

  func increment() { count += 1 }
}
