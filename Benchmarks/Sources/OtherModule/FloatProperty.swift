/// A property as a protocol requirement: if the type is unknown, an access uses the witness table.
public protocol FloatProperty: AnyObject {
  /// The value.
  var value: Float { get set }
}

/// An implementation whose type other modules can't name, so that they access it through the witness table.
private final class WitnessField: FloatProperty {
  var value: Float = 0
}

/// Makes an object whose type the caller can't know.
@inline(never)
public func makeFloatProperty() -> any FloatProperty { WitnessField() }

/// Like `WitnessField`, but without the exclusivity check at each access.
private final class UncheckedWitnessField: FloatProperty {
  @exclusivity(unchecked) var value: Float = 0
}

/// Makes an object whose type the caller can't know, with a property that has no exclusivity check.
@inline(never)
public func makeUncheckedFloatProperty() -> any FloatProperty { UncheckedWitnessField() }

/// Reads the value in a generic function that is not specialized, and so uses the witness table.
@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
public func readUnspecialized<Property: FloatProperty>(_ property: Property) -> Float { property.value }

/// Writes the value in a generic function that is not specialized, and so uses the witness table.
@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
public func writeUnspecialized<Property: FloatProperty>(_ property: Property, _ value: Float) {
  property.value = value
}
