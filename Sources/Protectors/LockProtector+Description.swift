// A debugger, `print` and `dump` may ask for a description at any time, even inside a section. So the
// description leaves the value out. Describing a copy is sound only if the value is `Sendable`, and the
// conformances can't require that. Describing the value under the lock would run foreign code there.

extension LockProtector: CustomDebugStringConvertible where Value: ~Copyable, Lock: ~Copyable {
  /// The protector's type.
  ///
  /// The value is not described. Never blocks.
  public var debugDescription: String {
    "\(Self.self)"
  }
}

extension LockProtector: CustomReflectable where Value: ~Copyable, Lock: ~Copyable {
  /// A mirror without children.
  ///
  /// Reflection does not acquire the lock, so it must not see the value. Never blocks.
  public var customMirror: Mirror {
    Mirror(self, children: [])
  }
}
