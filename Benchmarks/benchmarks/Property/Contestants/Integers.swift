internal import OtherModule
internal import Protectors

// `IntegerSum` adds up numbers in the integer property of the classes below. Each object is used by one
// thread at a time, so the classes without a lock can be `@unchecked Sendable`.

/// An object with an integer that is read and written.
protocol IntegerHolder: AnyObject, Sendable {
  var value: Int32 { get set }
}

/// An integer in a stored field.
final class StoredInteger: IntegerHolder, @unchecked Sendable {
  var value: Int32 = 0
}

/// An integer property of an open class in another module: each access uses the class's method table.
final class TableInteger: IntegerHolder, @unchecked Sendable {
  private let field = OpenInteger()

  var value: Int32 {
    get { field.value }
    set { field.value = newValue }
  }
}

/// Like `TableInteger`, but without the exclusivity check.
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
