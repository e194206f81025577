// The classes are `@unchecked Sendable`, because the benchmarks use each object on one thread at a time.

/// A property that a subclass may override: outside this module, every access uses the class's method table.
open class OpenField: @unchecked Sendable {
  /// The value; `open`, so that no caller can know whether a subclass overrides it.
  open var value: Float = 0

  /// Makes a field with the value 0.
  public init() {}
}

/// Like `OpenField`, but without the exclusivity check at each access.
open class UncheckedOpenField: @unchecked Sendable {
  /// The value, whose accesses are not checked for overlaps at run time.
  @exclusivity(unchecked) open var value: Float = 0

  /// Makes a field with the value 0.
  public init() {}
}

/// Like `OpenField`, but with an integer as the value.
open class OpenInteger: @unchecked Sendable {
  /// The value; `open`, so that no caller can know whether a subclass overrides it.
  open var value: Int32 = 0

  /// Makes a field with the value 0.
  public init() {}
}

/// Like `OpenInteger`, but without the exclusivity check at each access.
open class UncheckedOpenInteger: @unchecked Sendable {
  /// The value, whose accesses are not checked for overlaps at run time.
  @exclusivity(unchecked) open var value: Int32 = 0

  /// Makes a field with the value 0.
  public init() {}
}
