internal import OtherModule

// The types in this file access a stored field in ways that the optimiser can't see through. They can be
// `Sendable`, because the suite uses each object on one thread at a time.
//
// At run time, Swift checks that no other access overlaps (the exclusivity check). Most of these types exist
// twice, with and without this check. The fields behind a lock, in other files, are not checked.

/// A property of an open class in another module: each access uses the class's method table.
final class TableField: FloatHolder, @unchecked Sendable {
  private let field = OpenField()

  var value: Float {
    get { field.value }
    set { field.value = newValue }
  }
}

/// Like `TableField`, but without the exclusivity check.
final class UncheckedTableField: FloatHolder, @unchecked Sendable {
  private let field = UncheckedOpenField()

  var value: Float {
    get { field.value }
    set { field.value = newValue }
  }
}

/// A property of a final class in another module.
///
/// Each access calls an accessor that is not inlined.
final class CalledField: FloatHolder, @unchecked Sendable {
  private let field = DistantField()

  var value: Float {
    get { field.value }
    set { field.value = newValue }
  }
}

/// A property that is a protocol requirement, used through `any`.
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

/// A property that is a protocol requirement, used in a generic function that is not specialised.
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

/// A stored field, accessed with a key path that the compiler can't see through.
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

/// A stored field, accessed by two closures that the compiler can't see through.
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

/// A field in a property wrapper that only stores the value.
final class WrappedField: FloatHolder, @unchecked Sendable {
  @propertyWrapper
  struct Plain {
    var wrappedValue: Float
  }

  @Plain var value: Float = 0
}
