/// A property whose accessors nobody outside this module can look into.
public final class DistantField {
  /// Read and written by functions that are called.
  ///
  /// The release build inlines across modules where it may; here it may not, as with a library that evolves.
  public var value: Float {
    @inline(never) get { storage }
    @inline(never) set { storage = newValue }
  }

  private var storage: Float = 0

  /// Starts with 0.
  public init() {}
}
