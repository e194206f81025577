/// A property whose accessors the optimiser can't see outside this module.
public final class DistantField {
  /// The value, accessed by calls of functions.
  ///
  /// The release build inlines across modules where it may. Here it may not, as with a library that evolves.
  public var value: Float {
    @inline(never) get { storage }
    @inline(never) set { storage = newValue }
  }

  private var storage: Float = 0

  /// Makes a field with the value 0.
  public init() {}
}
