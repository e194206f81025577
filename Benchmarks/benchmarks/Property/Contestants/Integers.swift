internal import OtherModule
internal import Protectors

// What integers are summed up in. The suite uses each on one thread at a time, which makes all of them
// Sendable.

/// An object with an integer that is read and written.
protocol IntegerHolder: AnyObject, Sendable {
  var value: Int32 { get set }
}

/// A stored field.
final class StoredInteger: IntegerHolder, @unchecked Sendable {
  var value: Int32 = 0
}

/// A property of a class of another module that a subclass may override.
final class TableInteger: IntegerHolder, @unchecked Sendable {
  private let field = OpenInteger()

  var value: Int32 {
    get { field.value }
    set { field.value = newValue }
  }
}

/// The same without the exclusivity check.
final class UncheckedTableInteger: IntegerHolder, @unchecked Sendable {
  private let field = UncheckedOpenInteger()

  var value: Int32 {
    get { field.value }
    set { field.value = newValue }
  }
}

/// An integer in a `Protector`.
final class ProtectorInteger: IntegerHolder {
  private let storage = Protector<Int32>(0)

  var value: Int32 {
    get { storage.withReadLock { $0 } }
    set { storage.withWriteLock { $0 = newValue } }
  }
}
