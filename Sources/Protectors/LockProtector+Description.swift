// A debugger, `print` and `dump` may ask for a description at any time, also inside a section. The value stays out of
// it: copying it out to describe it is sound only for `Sendable` values, which a conformance can't depend on, and
// describing it under the lock would run code of others there.

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
  /// Reflection does not take the lock, so it must not see the value. Never blocks.
  public var customMirror: Mirror {
    Mirror(self, children: [])
  }
}
