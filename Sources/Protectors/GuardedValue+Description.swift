// A debugger, `print` and `dump` may ask for a description at any time, even inside a section. So the
// description does not include the value. Describing a copy would be sound only for a `Sendable` value, which
// the conformances can't require. Describing the value under the lock would run foreign code in a section.

extension GuardedValue: CustomDebugStringConvertible where Value: ~Copyable, Lock: ~Copyable {
  /// The name of the protector's type, without the value.
  ///
  /// Never blocks.
  public var debugDescription: String {
    "\(Self.self)"
  }
}

extension GuardedValue: CustomReflectable where Value: ~Copyable, Lock: ~Copyable {
  /// A mirror without children.
  ///
  /// Reflection does not acquire the lock, so it must not see the value. Never blocks.
  public var customMirror: Mirror {
    Mirror(self, children: [])
  }
}
