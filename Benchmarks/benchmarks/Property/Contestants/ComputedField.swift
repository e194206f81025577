/// A computed property: a getter and a setter over a stored field.
final class ComputedField: FloatHolder, @unchecked Sendable {
  // `ComputedField` is `@unchecked Sendable`, which is sound: the suite uses an object on one thread at a
  // time.
  private var storage: Float = 0

  var value: Float {
    get { storage }
    set { storage = newValue }
  }
}
