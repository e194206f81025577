/// A value on cache lines of its own, at a stable address.
///
/// Benchmarks store each measured lock in a box, separate from reference counts and other data.
package final class IsolatedBox<Value: ~Copyable & Sendable>: @unchecked Sendable {
  // `IsolatedBox` is `@unchecked Sendable`, which is sound: the pointer never changes, and any thread may
  // borrow the value, because `Value` is `Sendable`.

  /// The address of the value; valid while the box lives.
  package let pointer: UnsafeMutablePointer<Value>

  /// Moves `value` into newly allocated memory that the box owns.
  package init(_ value: consuming Value) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: CacheLines.size(holding: MemoryLayout<Value>.size), alignment: CacheLines.alignment)
    pointer = memory.bindMemory(to: Value.self, capacity: 1)
    pointer.initialize(to: value)
  }

  deinit {
    pointer.deinitialize(count: 1)
    UnsafeMutableRawPointer(pointer).deallocate()
  }
}
