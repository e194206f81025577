/// Places for the results of a concurrent map, filled in any order by several threads.
///
/// `@safe`: what its pointer leads to is touched as said at its declaration.
@safe
@usableFromInline
struct MappedResults<Value>: @unchecked Sendable {
  // Sound: each place is written once, by the thread that was handed its number, and read or destroyed after the pass, whose end
  // comes after all writes. Values come in as `sending`: nobody else has them.
  private let places: UnsafeMutablePointer<Value>
  private let count: Int

  @usableFromInline
  init(count: Int) {
    unsafe places = .allocate(capacity: count)
    self.count = count
  }

  /// Fills a place, which must be empty.
  @usableFromInline
  func put(_ value: consuming sending Value, at number: Int) {
    unsafe (places + number).initialize(to: value)
  }

  /// Takes all values and frees the places, each of which must be filled.
  @usableFromInline
  func take() -> [Value] {
    defer { unsafe places.deallocate() }
    // All empty arrays are one object, into which this initialiser writes its count all the same.
    if count == 0 { return [] }
    return unsafe Array(unsafeUninitializedCapacity: count) { buffer, initializedCount in
      unsafe buffer.baseAddress?.moveInitialize(from: places, count: count)
      initializedCount = count
    }
  }

  /// Destroys the values in the first `filled` places, except for some that are empty, and frees the places.
  @usableFromInline
  func discard(first filled: Int, except empty: [Int]) {
    let empty = Set(empty)
    for number in 0..<filled where !empty.contains(number) {
      unsafe (places + number).deinitialize(count: 1)
    }
    unsafe places.deallocate()
  }
}
