internal import OtherModule

// Accesses to a stored field that the optimiser can't see through. They are `Sendable`, because the suite
// uses each on one thread at a time.
//
// Most of them exist twice: as Swift compiles them, with a run-time check that no other access overlaps, and
// without that check. The fields behind a lock, in other files, have no check either.

/// A property of another module's class that a subclass may override.
final class TableField: FloatHolder, @unchecked Sendable {
  private let field = OpenField()

  var value: Float {
    get { field.value }
    set { field.value = newValue }
  }
}

/// The same without the exclusivity check.
final class UncheckedTableField: FloatHolder, @unchecked Sendable {
  private let field = UncheckedOpenField()

  var value: Float {
    get { field.value }
    set { field.value = newValue }
  }
}

/// A property of another module's final class, whose accessors are called.
final class CalledField: FloatHolder, @unchecked Sendable {
  private let field = DistantField()

  var value: Float {
    get { field.value }
    set { field.value = newValue }
  }
}

/// A protocol requirement, used through `any`.
final class ExistentialField: FloatHolder, @unchecked Sendable {
  private let property: any FloatProperty

  init(_ property: any FloatProperty) {
    self.property = property
  }

  var value: Float {
    get { property.value }
    set { property.value = newValue }
  }
}

/// A protocol requirement, used in a generic function that is not specialised.
final class GenericField: FloatHolder, @unchecked Sendable {
  private let property: any FloatProperty

  init(_ property: any FloatProperty) {
    self.property = property
  }

  var value: Float {
    get { readUnspecialised(property) }
    set { writeUnspecialised(property, newValue) }
  }
}

/// A stored field, accessed with a key path that was made elsewhere.
final class KeyPathField: FloatHolder, @unchecked Sendable {
  private let field = StoredField()
  private let path = KeyPathField.makePath()

  var value: Float {
    get { field[keyPath: path] }
    set { field[keyPath: path] = newValue }
  }

  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  private static func makePath() -> ReferenceWritableKeyPath<StoredField, Float> { \.value }
}

/// A stored field, accessed by two closures that were made elsewhere.
final class ClosureField: FloatHolder, @unchecked Sendable {
  typealias Accessors = (read: () -> Float, write: (Float) -> Void)

  private let accessors: Accessors

  init(_ accessors: Accessors) {
    self.accessors = accessors
  }

  var value: Float {
    get { accessors.read() }
    set { accessors.write(newValue) }
  }

  @inline(never)
  static func makeAccessors() -> Accessors {
    let field = StoredField()
    return ({ field.value }, { field.value = $0 })
  }

  @inline(never)
  static func makeUncheckedAccessors() -> Accessors {
    let field = UncheckedField()
    return ({ field.value }, { field.value = $0 })
  }
}

/// A stored field without the exclusivity check.
final class UncheckedField: @unchecked Sendable {
  @exclusivity(unchecked) var value: Float = 0
}

/// A field in a property wrapper that does nothing.
final class WrappedField: FloatHolder, @unchecked Sendable {
  @propertyWrapper
  struct Plain {
    var wrappedValue: Float
  }

  @Plain var value: Float = 0
}
