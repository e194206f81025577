#if DeadlockDetection
  /// A cache of the acquisitions of one thread that the graph already has: a hash set with open addressing.
  ///
  /// An acquisition is identified by a nonzero number. When half of the slots are used, the next insertion
  /// first empties the cache. It also doubles the size, up to `largest`, if the graph already had most of
  /// these acquisitions when they were inserted. The usual reason is that the cache had dropped them before.
  ///
  /// `@safe`: `slots` has `mask + 1` elements, and lives as long as the instance.
  @safe
  struct KnownAcquisitions: ~Copyable {
    private var slots: UnsafeMutablePointer<UInt64>
    private var mask: Int
    private var count = 0
    /// The number of cached acquisitions whose edges were already in the graph when they entered the cache.
    private var rediscovered = 0

    private static let smallest = 512
    private static let largest = 1 << 17

    init() {
      mask = Self.smallest - 1
      unsafe slots = Self.allocate(Self.smallest)
    }

    deinit { unsafe slots.deallocate() }

    private static func allocate(_ size: Int) -> UnsafeMutablePointer<UInt64> {
      let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: size)
      unsafe slots.initialize(repeating: 0, count: size)
      return unsafe slots
    }

    @inline(__always)
    func contains(_ acquisition: UInt64) -> Bool {
      var index = Int(truncatingIfNeeded: acquisition) & mask
      while true {
        let slot = unsafe slots[index]
        if slot == acquisition { return true }
        if slot == 0 { return false }
        index = (index + 1) & mask
      }
    }

    /// Inserts an acquisition, which the cache must not contain yet.
    ///
    /// - Parameter isNew: Whether the graph lacked an edge of the acquisition.
    mutating func insert(_ acquisition: UInt64, isNew: Bool) {
      if count > mask / 2 {
        if rediscovered > count / 2, mask + 1 < Self.largest { mask = 2 * mask + 1 }
        unsafe slots.deallocate()
        unsafe slots = Self.allocate(mask + 1)
        count = 0
        rediscovered = 0
      }
      var index = Int(truncatingIfNeeded: acquisition) & mask
      while unsafe slots[index] != 0 { index = (index + 1) & mask }
      unsafe slots[index] = acquisition
      count += 1
      if !isNew { rediscovered += 1 }
    }
  }
#endif
