internal import AtomicProperties
// Imported for `NSLock` only.
internal import class Foundation.NSLock
internal import LazyInitialization
internal import Synchronization

// The types below have properties that threads can safely share, by means of this package or the system's
// libraries.

/// A field in a `Synchronization.Mutex`.
final class MutexField: FloatHolder {
  private let storage = Mutex<Float>(0)

  var value: Float {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }
}

/// A field in a `Synchronization.Atomic`.
final class AtomicField: FloatHolder {
  private let storage = Atomic<Float>(0)

  var value: Float {
    get { storage.load(ordering: .acquiring) }
    set { storage.store(newValue, ordering: .releasing) }
  }
}

/// A field behind Foundation's `NSLock`.
final class NSLockField: FloatHolder, @unchecked Sendable {
  private let lock = NSLock()
  // `storage` is used only while `lock` is held, so accesses can't overlap. This makes both
  // `@exclusivity(unchecked)` and the class's `@unchecked Sendable` sound.
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

/// A number that a `Lazy` makes on first use, and that can't be written.
final class LazyField: FloatReader {
  private let storage = Lazy<Float> { Float(CommandLine.arguments.count) }

  var value: Float { storage.value }
}

// The types below use the package's property wrappers, which are classes, without the `@` syntax.

/// A `LockFreeProperty` that is read and stored as a whole.
final class LockFreeField: FloatHolder {
  private let storage = LockFreeProperty<Float>(0)

  var value: Float {
    get { storage.value }
    set { storage.store(newValue, ordering: .releasing) }
  }
}

extension AtomicProperty<Float>: FloatReader, FloatHolder {}

extension QueueProperty<Float>: FloatReader, FloatHolder {}
