/// Memory for the results of a concurrent map, filled in any order by several threads.
///
/// The owner must free the memory by one call of `take()` or `discard(first:except:)`.
///
/// `@safe`: the pointer does not leave this type.
@safe
@usableFromInline
@frozen
struct MappedResults<Value>: @unchecked Sendable {
  // `MappedResults` is `@unchecked Sendable`, which is sound: each element is written once, by the thread that
  // makes its result. Elements are read or destroyed only after all threads have ended their writes. Values are
  // passed to `put` as `sending`, so no other code refers to them.
  private let elements: UnsafeMutablePointer<Value>
  private let count: Int

  @usableFromInline
  init(count: Int) {
    unsafe elements = .allocate(capacity: count)
    self.count = count
  }

  /// Stores a value at an index whose element must be empty; otherwise the element's old value leaks.
  @usableFromInline
  func put(_ value: consuming sending Value, at index: Int) {
    unsafe (elements + index).initialize(to: value)
  }

  /// Moves all values out and frees the memory.
  ///
  /// The caller must have filled each element; otherwise the behavior is undefined.
  @usableFromInline
  func take() -> [Value] {
    defer { unsafe elements.deallocate() }
    // All empty arrays share one object, into which `Array(unsafeUninitializedCapacity:)` would write a
    // count.
    if count == 0 { return [] }
    return unsafe Array(unsafeUninitializedCapacity: count) { buffer, initializedCount in
      unsafe buffer.baseAddress?.moveInitialize(from: elements, count: count)
      initializedCount = count
    }
  }

  /// Destroys the values in the first `filled` elements except those listed in `empty`, and frees the memory.
  @usableFromInline
  func discard(first filled: Int, except empty: [Int]) {
    let empty = Set(empty)
    for number in 0..<filled where !empty.contains(number) {
      unsafe (elements + number).deinitialize(count: 1)
    }
    unsafe elements.deallocate()
  }
}
