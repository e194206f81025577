internal import LockSupport

/// A lock-free set of 64-bit hashes with a fixed capacity, which gives each hash an index of its own.
///
/// Several threads may use the set at the same time. Only `removeAll` removes hashes. Two values with the
/// same hash get the same index. With a few thousand values, such a collision is improbable.
///
/// `@safe`: the memory lives as long as the set, and every index is masked to its capacity.
@safe
struct HashSlots: ~Copyable, @unchecked Sendable {
  // `HashSlots` is `@unchecked Sendable`, which is sound: after `init`, only its atomics change.
  private let memory: ReservedMemory<AtomicWord>
  private var slots: UnsafeMutablePointer<AtomicWord> { unsafe memory.first }
  private let used = AtomicWord()

  /// The number of indices, which must be a power of two.
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    memory = ReservedMemory(capacity: capacity)
  }

  /// The maximum number of hashes: three quarters of the capacity, which keeps searches short.
  var limit: Int { capacity / 4 * 3 }

  /// Returns the index of `hash`, and whether this call inserted it; `nil` if it is missing and the set is
  /// full.
  func index(of hash: UInt64) -> (index: Int, isNew: Bool)? {
    let hash = max(hash, 1)
    var index = Int(truncatingIfNeeded: hash) & (capacity - 1)
    while true {
      var found = unsafe slots[index].load(.relaxed)
      if found == 0 {
        // Threads that insert at the same time may each exceed the limit by one hash. The slots beyond the
        // limit, a quarter of all, leave room for them.
        if used.load(.relaxed) >= UInt64(limit) { return nil }
        let (exchanged, original) = unsafe slots[index].compareExchange(
          expected: 0, desired: hash, .relaxed)
        if exchanged {
          used.add(1, .relaxed)
          return (index, true)
        }
        found = original
      }
      if found == hash { return (index, false) }
      index = (index + 1) & (capacity - 1)
    }
  }

  /// Removes all hashes; no other thread may use the set meanwhile.
  func removeAll() {
    memory.clear()
    used.store(0, .relaxed)
  }

  /// Combines a hash with one more word.
  static func combine(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    // A variant of the finaliser of MurmurHash3: each changed bit of the input changes about half of the
    // result.
    var mixed = (hash ^ word) &* 0xff51_afd7_ed55_8ccd
    mixed ^= mixed >> 33
    mixed = mixed &* 0xc4ce_b9fe_1a85_ec53
    return mixed ^ (mixed >> 29)
  }
}
