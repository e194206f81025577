/// A property that a subclass may override: outside this module, every access goes through the class's table.
open class OpenField {
  /// What a subclass may override.
  open var value: Float = 0

  /// Starts with 0.
  public init() {}
}
