/// Memory for the results of a concurrent map, filled in any order by several threads.
///
/// `@safe`: the comment at the pointer says how its memory is used.
@safe
@usableFromInline
@frozen
struct MappedResults<Value>: @unchecked Sendable {
  // `MappedResults` is `@unchecked Sendable`, which is sound: each place is written once, by the thread that
  // makes its result. Places are read or destroyed only after all threads have ended their writes. Values are
  // passed to `put` as `sending`, so no other code refers to them.
  private let places: UnsafeMutablePointer<Value>
  private let count: Int

  @usableFromInline
  init(count: Int) {
    unsafe places = .allocate(capacity: count)
    self.count = count
  }

  /// Stores a value at a place, which must be empty.
  @usableFromInline
  func put(_ value: consuming sending Value, at number: Int) {
    unsafe (places + number).initialize(to: value)
  }

  /// Moves all values out and frees the memory.
  ///
  /// Each place must be filled.
  @usableFromInline
  func take() -> [Value] {
    defer { unsafe places.deallocate() }
    // All empty arrays share one object. The initialiser below would write a count into that shared object.
    if count == 0 { return [] }
    return unsafe Array(unsafeUninitializedCapacity: count) { buffer, initializedCount in
      unsafe buffer.baseAddress?.moveInitialize(from: places, count: count)
      initializedCount = count
    }
  }

  /// Destroys the values in the first `filled` places except those listed in `empty`, and frees the memory.
  @usableFromInline
  func discard(first filled: Int, except empty: [Int]) {
    let empty = Set(empty)
    for number in 0..<filled where !empty.contains(number) {
      unsafe (places + number).deinitialize(count: 1)
    }
    unsafe places.deallocate()
  }
}
