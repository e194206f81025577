/// A property whose accessors the optimizer can't see outside this module.
///
/// `@unchecked Sendable` is sound: the benchmarks use each object on one thread at a time.
public final class DistantField: @unchecked Sendable {
  /// The value; each access calls a function, as for a property of a library with a stable binary interface.
  ///
  /// `@inline(never)` is needed because a release build of this package inlines across modules.
  public var value: Float {
    @inline(never) get { storage }
    @inline(never) set { storage = newValue }
  }

  private var storage: Float = 0

  /// Makes a field with the value 0.
  public init() {}
}
