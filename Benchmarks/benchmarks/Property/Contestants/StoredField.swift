/// A stored field.
final class StoredField: FloatHolder, @unchecked Sendable {
  // Sound, and `Sendable`: the suite uses it on one thread at a time.
  var value: Float = 0
}
