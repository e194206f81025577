internal import AtomicProperties
internal import Dispatch
// Imported for `NSLock` only.
internal import class Foundation.NSLock
internal import LazyInitialization
internal import OtherModule
internal import Protectors
internal import Synchronization
internal import UnfairLocks

// The contestants of the suite "property": final classes, because the measured loops are compiled separately
// for each of them. An access therefore costs as much as in code that uses the class directly.
//
// Classes without a lock can be `@unchecked Sendable`, because the suite uses each object on one thread at a
// time. A field with `@exclusivity(unchecked)` behind a lock or a queue is used only under that lock or on that
// queue, so its accesses can't overlap. This also makes the class's `@unchecked Sendable` sound.

/// An object with a property that is read.
protocol FloatReader: AnyObject, Sendable {
  var value: Float { get }
}

/// An object with a property that is read and written.
protocol FloatHolder: FloatReader {
  var value: Float { get set }
}

/// An object with an integer that is read and written.
protocol IntegerHolder: AnyObject, Sendable {
  var value: Int32 { get set }
}

// MARK: Direct

final class StoredField: FloatHolder, @unchecked Sendable {
  var value: Float = 0
}

final class StoredInteger: IntegerHolder, @unchecked Sendable {
  var value: Int32 = 0
}

final class ComputedField: FloatHolder, @unchecked Sendable {
  private var storage: Float = 0

  var value: Float {
    get { storage }
    set { storage = newValue }
  }
}

final class WrappedField: FloatHolder, @unchecked Sendable {
  @propertyWrapper
  struct Plain {
    var wrappedValue: Float
  }

  @Plain var value: Float = 0
}

// MARK: Dispatch
// These types access a stored field in ways that the optimizer can't see through. Most exist with and without
// the check at run time that no other access overlaps.

// An open class in another module: each access uses the class's method table.
extension OpenField: FloatHolder {}
extension UncheckedOpenField: FloatHolder {}
extension OpenInteger: IntegerHolder {}
extension UncheckedOpenInteger: IntegerHolder {}

// A final class in another module: each access calls an accessor that is not inlined.
extension DistantField: FloatHolder {}

/// A property that is a protocol requirement, used through `any`.
final class ExistentialField: FloatHolder, @unchecked Sendable {
  private let property: any FloatProperty

  init(_ property: any FloatProperty) {
    self.property = property
  }

  var value: Float {
    get { property.value }
    set { property.value = newValue }
  }
}

/// A property that is a protocol requirement, used in a generic function that is not specialized.
final class GenericField: FloatHolder, @unchecked Sendable {
  private let property: any FloatProperty

  init(_ property: any FloatProperty) {
    self.property = property
  }

  var value: Float {
    get { readUnspecialized(property) }
    set { writeUnspecialized(property, newValue) }
  }
}

/// A stored field, accessed with a key path that the compiler can't see through.
final class KeyPathField: FloatHolder, @unchecked Sendable {
  private let field = StoredField()
  private let path = KeyPathField.makePath()

  var value: Float {
    get { field[keyPath: path] }
    set { field[keyPath: path] = newValue }
  }

  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  private static func makePath() -> ReferenceWritableKeyPath<StoredField, Float> { \.value }
}

/// A stored field, accessed by two closures that the compiler can't see through.
final class ClosureField: FloatHolder, @unchecked Sendable {
  typealias Accessors = (read: () -> Float, write: (Float) -> Void)

  private let accessors: Accessors

  init(_ accessors: Accessors) {
    self.accessors = accessors
  }

  var value: Float {
    get { accessors.read() }
    set { accessors.write(newValue) }
  }

  @inline(never)
  static func makeAccessors() -> Accessors {
    let field = StoredField()
    return ({ field.value }, { field.value = $0 })
  }

  @inline(never)
  static func makeUncheckedAccessors() -> Accessors {
    let field = UncheckedField()
    return ({ field.value }, { field.value = $0 })
  }
}

private final class UncheckedField {
  @exclusivity(unchecked) var value: Float = 0
}

// MARK: Atomic

final class AtomicField: FloatHolder {
  private let storage = Atomic<Float>(0)

  var value: Float {
    get { storage.load(ordering: .acquiring) }
    set { storage.store(newValue, ordering: .releasing) }
  }
}

/// A `LockFreeProperty`, a class that is also a property wrapper, read and stored as a whole.
final class LockFreeField: FloatHolder {
  private let storage = LockFreeProperty<Float>(0)

  var value: Float {
    get { storage.value }
    set { storage.store(newValue, ordering: .releasing) }
  }
}

/// A number that a `Lazy` makes on first use, and that can't be written.
final class LazyField: FloatReader {
  private let storage = Lazy<Float> { Float(CommandLine.arguments.count) }

  var value: Float { storage.value }
}

// MARK: Lock or queue

extension AtomicProperty<Float>: FloatReader, FloatHolder {}

extension QueueProperty<Float>: FloatReader, FloatHolder {}

final class UnfairLockField: FloatHolder, @unchecked Sendable {
  private let lock = UnfairLock()
  @exclusivity(unchecked) private var storage: Float = 0

  var value: Float {
    get { lock.withLock { storage } }
    set { lock.withLock { storage = newValue } }
  }
}

final class ProtectorField: FloatHolder {
  private let storage = Protector<Float>(0)

  var value: Float {
    get { storage.withReadLock { $0 } }
    set { storage.withWriteLock { $0 = newValue } }
  }
}

final class ProtectorInteger: IntegerHolder {
  private let storage = Protector<Int32>(0)

  var value: Int32 {
    get { storage.withReadLock { $0 } }
    set { storage.withWriteLock { $0 = newValue } }
  }
}

final class MutexField: FloatHolder {
  private let storage = Mutex<Float>(0)

  var value: Float {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }
}

final class NSLockField: FloatHolder, @unchecked Sendable {
  private let lock = NSLock()
  @exclusivity(unchecked) private var storage: Float = 0

  var value: Float {
    get {
      lock.lock()
      defer { lock.unlock() }
      return storage
    }
    set {
      lock.lock()
      defer { lock.unlock() }
      storage = newValue
    }
  }
}

final class QueueField: FloatHolder, @unchecked Sendable {
  private let queue = DispatchQueue(label: "benchmarks.field")
  @exclusivity(unchecked) private var storage: Float = 0

  var value: Float {
    get { queue.sync { storage } }
    set { queue.sync { storage = newValue } }
  }
}
