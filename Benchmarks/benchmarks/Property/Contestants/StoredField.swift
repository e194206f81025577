/// A stored field of a final class: the reference of the suite "property".
final class StoredField: FloatHolder, @unchecked Sendable {
  // `@unchecked Sendable` is sound: the suite uses an object on one thread at a time.
  var value: Float = 0
}
