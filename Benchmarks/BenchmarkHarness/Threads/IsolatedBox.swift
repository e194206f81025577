/// A value on cache lines of its own, at a stable address.
///
/// A lock that is measured stands in one, away from the reference counts and the data of others.
package final class IsolatedBox<Value: ~Copyable & Sendable>: @unchecked Sendable {
  // Sendable: nobody changes the pointer, and what it points to may be borrowed from any thread.

  /// Where the value is; valid while the box lives.
  package let pointer: UnsafeMutablePointer<Value>

  /// Puts the value into memory of its own.
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
