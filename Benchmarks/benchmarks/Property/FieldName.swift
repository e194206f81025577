internal import BenchmarkHarness

/// The names of the implementations in the suite "property", as its result tables show them.
enum FieldName {
  static let local = "local variable"
  static let stored = "stored field"
  static let computed = "final getter and setter"
  static let open = "class table"
  static let distant = "in another module, called"
  static let generic = "protocol, generic"
  static let existential = "protocol, any"
  static let keyPath = "key path"
  static let closure = "closure"
  static let wrapper = "property wrapper"
  static let atomic = "Synchronization.Atomic"
  static let lockFree = "LockFreeProperty"
  static let lazy = "Lazy"
  static let property = "AtomicProperty"
  static let unfair = "behind UnfairLock"
  static let protector = "Protector"
  static let mutex = "Synchronization.Mutex"
  static let nsLock = "NSLock"
  static let queueProperty = "QueueProperty"
  static let queue = "DispatchQueue.sync"

  /// The name, in result tables, of an implementation without the exclusivity check.
  static func unchecked(_ name: String) -> String { "\(name), unchecked" }
}

/// The categories into which tables divide the implementations that the suite "property" measures.
extension Category {
  static let field = Category(
    "direct", "the compiler reaches the field at once, and no exclusivity check is left in the loop")
  static let dispatch = Category(
    "dispatch", "the way to the field alone; the exclusivity check is off, with @exclusivity(unchecked)")
  static let dispatchAndCheck = Category(
    "dispatch + check", "the same as Swift compiles it, with its exclusivity check at run time")
  static let atomic = Category("atomic", "no lock; an unchecked field")
  static let lock = Category("lock", "a lock around an unchecked field")
  static let queue = Category("queue", "a dispatch queue around an unchecked field")
  static let vector = Category("by hand", "SIMD vectors, several numbers at a time")
}
