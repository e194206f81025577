/// A stored field of a final class: the reference of the suite "property".
final class StoredField: FloatHolder, @unchecked Sendable {
  // `StoredField` is `@unchecked Sendable`, which is sound: the suite uses an object on one thread at a time.
  var value: Float = 0
}
