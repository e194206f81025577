internal import LockSupport

/// The locks for which threads sleep now, each with the number of the stack that held it for longest.
///
/// A waiting thread learns from this table which code released the lock. A lock is identified by its key, a
/// number that is derived from its address. A lock is listed while at least one thread waits for it. The
/// table consists of buckets, each with room for four locks. A spin lock (the bucket's *guard*) protects each
/// bucket.
///
/// # The time that a lock was held while others waited
/// For each lock, `since` is the time when its first waiting thread arrived, or its last release, whichever
/// is later. A release adds the time from `since` until now to `blocked`, because the lock was held and a
/// thread waited. The next wait that ends takes `blocked`, and resets it to 0. The sum of `blocked` over all
/// waits is therefore the time during which the lock was held while a thread waited.
///
/// Several threads may hold the lock one after the other before a wait ends. The wait that takes `blocked` is
/// attributed to the release that added most to it.
///
/// # Whether the holder ran
/// A thread's running time is how long it has run on processors. A thread that begins to wait reads the
/// running time of the lock's holder. The holder reads its own running time when it releases the lock. The
/// difference is added to `ran`, and the time between the two readings to `measured`. A hold during which no
/// thread begins to wait is not measured, because the fast paths read no clock.
///
/// `@safe`: the memory lives as long as the table, and every index is less than its capacity.
@safe
struct ContendedLocks: ~Copyable, @unchecked Sendable {
  // `ContendedLocks` is `@unchecked Sendable`, which is sound: an entry is accessed under its bucket's guard,
  // except for its key, which is an atomic.

  private struct Entry: ~Copyable {
    /// The key of the lock; 0 for a vacant entry.
    let key = AtomicWord()
    var waiting = 0
    var since: UInt64 = 0
    var releaser = StackTable.none
    var blocked: UInt64 = 0
    /// The longest time that a release has added to `blocked` since the previous wait ended, in nanoseconds;
    /// 0 if there was no release.
    var longest: UInt64 = 0
    /// The lock's holder at the moment when a thread began to wait; `nil` if not known, or after a release.
    var holder: Running?
    var measured: UInt64 = 0
    var ran: UInt64 = 0
  }

  /// How long `thread` had run on processors (`ran`) at the time `now`; both are in nanoseconds.
  struct Running {
    var thread: UInt32
    var ran: UInt64
    var now: UInt64
  }

  /// The totals of all releases of a lock since the previous wait for that lock ended.
  struct Release: Equatable, Sendable {
    /// The number, in the `StackTable`, of the stack that held the lock for longest; `StackTable.none` if no
    /// release was recorded.
    var releaser = StackTable.none
    /// The sum of the times that releases have added since the previous wait ended, in nanoseconds.
    var blocked: UInt64 = 0
    /// The total duration of the holds for which the holder's running time is known, in nanoseconds.
    var measured: UInt64 = 0
    /// The part of `measured` in which the holder ran on a processor, in nanoseconds.
    var ran: UInt64 = 0
  }

  private static let bucketCount = 256
  private static let entriesPerBucket = 4

  private let guards: UnsafeMutablePointer<AtomicWord>
  private let entries: UnsafeMutablePointer<Entry>

  init() {
    unsafe guards = .allocate(capacity: Self.bucketCount)
    for index in 0..<Self.bucketCount { unsafe (guards + index).initialize(to: AtomicWord()) }
    let count = Self.bucketCount * Self.entriesPerBucket
    unsafe entries = .allocate(capacity: count)
    for index in 0..<count { unsafe (entries + index).initialize(to: Entry()) }
  }

  deinit {
    unsafe guards.deinitialize(count: Self.bucketCount)
    unsafe guards.deallocate()
    unsafe entries.deinitialize(count: Self.bucketCount * Self.entriesPerBucket)
    unsafe entries.deallocate()
  }

  /// Records that a thread has begun to wait for the lock with this key.
  ///
  /// - Parameters:
  ///   - began: The time when the wait began, in nanoseconds.
  ///   - holder: The lock's holder and its running time now; `nil` if not known.
  /// - Returns: Whether the table had room for the lock. If not, nothing is recorded.
  func join(_ key: UInt, began: UInt64, heldBy holder: Running? = nil) -> Bool {
    var hasJoined = false
    unsafe withBucket(of: key) { first in
      guard let entry = unsafe Self.entry(of: key, in: first) ?? Self.entry(of: 0, in: first) else { return }
      hasJoined = true
      if unsafe entry.pointee.waiting == 0 {
        unsafe entry.pointee.key.store(UInt64(key), .relaxed)
        unsafe entry.pointee.since = began
        unsafe entry.pointee.releaser = StackTable.none
        unsafe entry.pointee.blocked = 0
        unsafe entry.pointee.longest = 0
        unsafe entry.pointee.holder = nil
        unsafe entry.pointee.measured = 0
        unsafe entry.pointee.ran = 0
      }
      unsafe entry.pointee.waiting = entry.pointee.waiting + 1
      if unsafe entry.pointee.holder == nil { unsafe entry.pointee.holder = holder }
    }
    return hasJoined
  }

  /// Whether a thread waits for the lock with this key.
  ///
  /// The result may be `false` if the first waiting thread calls `join` at the same time.
  func isWaitedFor(_ key: UInt) -> Bool {
    unsafe Self.entry(of: key, in: firstEntry(ofBucket: Self.bucket(of: key))) != nil
  }

  /// Records that the lock `key` was released at the time `now`, in nanoseconds; does nothing if no thread
  /// waits for the lock.
  ///
  /// - Parameters:
  ///   - releaser: The number, in the `StackTable`, of the stack that released the lock.
  ///   - running: The releasing thread and its running time at the release; `nil` if not known.
  func release(_ key: UInt, by releaser: UInt32, at now: UInt64, _ running: Running? = nil) {
    unsafe withBucket(of: key) { first in
      guard let entry = unsafe Self.entry(of: key, in: first) else { return }
      let since = unsafe entry.pointee.since
      let longest = unsafe entry.pointee.longest
      let held = now > since ? now - since : 0
      if held >= longest {
        unsafe entry.pointee.longest = held
        unsafe entry.pointee.releaser = releaser
      }
      unsafe entry.pointee.blocked = entry.pointee.blocked + held
      unsafe entry.pointee.since = max(now, since)
      if let running, let holder = unsafe entry.pointee.holder, holder.thread == running.thread,
        running.now > holder.now, running.ran >= holder.ran
      {
        let time = running.now - holder.now
        unsafe entry.pointee.measured = entry.pointee.measured + time
        unsafe entry.pointee.ran = entry.pointee.ran + min(running.ran - holder.ran, time)
      }
      unsafe entry.pointee.holder = nil
    }
  }

  /// Records that a thread no longer waits for the lock with this key.
  ///
  /// The caller must have called `join` for the wait, with the result `true`.
  ///
  /// - Returns: The totals of the lock's releases since the previous call for this key. If there was no
  ///   release, `releaser` is that of the previous call, or `StackTable.none` if the lock has not been
  ///   released since its first waiting thread arrived.
  func leave(_ key: UInt) -> Release {
    var release = Release()
    unsafe withBucket(of: key) { first in
      guard let entry = unsafe Self.entry(of: key, in: first) else { return }
      release = unsafe Release(
        releaser: entry.pointee.releaser, blocked: entry.pointee.blocked, measured: entry.pointee.measured,
        ran: entry.pointee.ran)
      // `releaser` is not reset: one release may end the waits of several readers, which all report that
      // stack.
      unsafe entry.pointee.blocked = 0
      unsafe entry.pointee.longest = 0
      unsafe entry.pointee.measured = 0
      unsafe entry.pointee.ran = 0
      unsafe entry.pointee.waiting = entry.pointee.waiting - 1
      if unsafe entry.pointee.waiting == 0 { unsafe entry.pointee.key.store(0, .relaxed) }
    }
    return release
  }

  /// The number of threads that wait.
  var waitingThreads: Int {
    var sum = 0
    for bucket in 0..<Self.bucketCount {
      unsafe withBucket(bucket) { first in
        for index in 0..<Self.entriesPerBucket { sum += unsafe first[index].waiting }
      }
    }
    return sum
  }

  /// Removes all locks; no other thread may use the table meanwhile.
  func removeAll() {
    for index in 0..<Self.bucketCount * Self.entriesPerBucket {
      unsafe (entries + index).deinitialize(count: 1)
      unsafe (entries + index).initialize(to: Entry())
    }
  }

  /// Releases all guards in a child made by `fork`.
  ///
  /// Only the calling thread exists in the child. Other threads may have held guards when the process forked.
  func openGuards() {
    for bucket in 0..<Self.bucketCount { unsafe guards[bucket].store(0, .relaxed) }
  }

  // MARK: Buckets

  private static func bucket(of key: UInt) -> Int {
    Int(truncatingIfNeeded: HashSlots.combine(1, UInt64(key))) & (bucketCount - 1)
  }

  private func firstEntry(ofBucket bucket: Int) -> UnsafeMutablePointer<Entry> {
    unsafe entries + bucket * Self.entriesPerBucket
  }

  private static func entry(
    of key: UInt, in first: UnsafeMutablePointer<Entry>
  ) -> UnsafeMutablePointer<Entry>? {
    var index = 0
    while index < entriesPerBucket {
      if unsafe first[index].key.load(.relaxed) == UInt64(key) { return unsafe first + index }
      index += 1
    }
    return nil
  }

  /// Runs `body` with a pointer to the first of the `entriesPerBucket` entries in the key's bucket, and holds
  /// the bucket's guard meanwhile.
  ///
  /// The guard can't be a lock of this package: the slow path of such a lock would call the recorder again.
  private func withBucket(of key: UInt, _ body: (UnsafeMutablePointer<Entry>) -> Void) {
    unsafe withBucket(Self.bucket(of: key), body)
  }

  private func withBucket(_ bucket: Int, _ body: (UnsafeMutablePointer<Entry>) -> Void) {
    while unsafe !guards[bucket].compareExchange(expected: 0, desired: 1, .acquiring).exchanged {
      Backoff.yield()
    }
    unsafe body(firstEntry(ofBucket: bucket))
    unsafe guards[bucket].store(0, .releasing)
  }
}
