public import CInterlock
public import InterlockCore
internal import UnfairLocks

/// A running delivery (a body of `whileActive` or `activate`) of the thread that made this value.
///
/// A thread's deliveries form a chain on its stack, from the innermost one outwards. A thread-local variable
/// has the address of the innermost one. The chain tells a thread which of a lifecycle's deliveries are its
/// own, so that an invalidation does not wait for them.
@usableFromInline
@frozen
struct Delivery: ~Copyable {
  // Words with a raw layout, because these have an address that stays the same. The explorer does not see
  // them: only the thread itself changes its chain, and `DeliveryWaits` orders the reads of other threads.
  @usableFromInline
  let lifecycle: PlainAtomicWord
  @usableFromInline
  let outer: PlainAtomicWord

  @_alwaysEmitIntoClient
  @inline(__always)
  init(to key: UInt) {
    lifecycle = PlainAtomicWord(UInt64(key))
    outer = PlainAtomicWord(UInt64(Self.innermost))
  }

  /// The address of the calling thread's innermost delivery; 0 outside deliveries.
  @_alwaysEmitIntoClient
  static var innermost: UInt {
    @inline(__always) get { interlock_innermost_delivery() }
    @inline(__always) set { interlock_set_innermost_delivery(newValue) }
  }

  // Apart from `init`, where the value may not have its final address yet.
  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func begin() { Self.innermost = lifecycle.address }

  /// Must be called on the same thread, and after the end of each inner delivery.
  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func end() { Self.innermost = UInt(truncatingIfNeeded: outer.load(.relaxed)) }

  /// The number of deliveries to the lifecycle with `key` in a chain.
  ///
  /// - Parameter chain: The innermost delivery of the calling thread, or of a thread that waits.
  static func count(of key: UInt, in chain: UInt = innermost) -> UInt64 {
    var count: UInt64 = 0
    var address = chain
    // Sound: a delivery in the chain runs, so its thread has not left the function that the value belongs to.
    while let delivery = unsafe UnsafePointer<Delivery>(bitPattern: address) {
      if unsafe UInt(truncatingIfNeeded: delivery.pointee.lifecycle.load(.relaxed)) == key { count += 1 }
      address = unsafe UInt(truncatingIfNeeded: delivery.pointee.outer.load(.relaxed))
    }
    return count
  }
}

/// Detects deadlocks among threads that wait for deliveries to end, and are in deliveries themselves.
///
/// Such a thread stays in its own deliveries until its wait has ended. If several of these threads wait for
/// one another in a cycle, none ever proceeds. The thread whose wait completes the cycle finds it here.
/// Threads wait only for lifecycles that are closed to new deliveries. While a thread waits, its chain of
/// deliveries does not change, so other threads can read it.
final class DeliveryWaits: Sendable {
  static let shared = DeliveryWaits()

  private struct Wait {
    /// The innermost delivery of the waiting thread.
    let chain: UInt
    /// The key of the lifecycle for whose deliveries the thread waits.
    let key: UInt
  }

  private let lock = UnfairLock()

  // Sound: accessed only while `lock` is held. The dynamic exclusivity check would repeat at run time what
  // the lock already ensures. Each thread in this array wrote its chain before it acquired the lock, and
  // removes its wait before it changes the chain.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var waits: [Wait] = []

  private init() {}

  /// Records that the calling thread, which is in a delivery, waits until no other thread is in a delivery to
  /// the lifecycle with `key`.
  ///
  /// - Returns: Whether the wait would close a cycle. If so, the wait is not recorded; otherwise the caller
  ///   must call `end()` after its wait.
  func begin(for key: UInt) -> Bool {
    let own = Wait(chain: Delivery.innermost, key: key)
    return lock.withLock {
      // The calling thread's wait, and the waits of threads for which it waits, directly or through others.
      // The loop appends the waits that it finds, and visits them too.
      var reached = [own]
      var index = 0
      while index < reached.count {
        let awaited = reached[index].key
        for wait in unsafe waits where Delivery.count(of: awaited, in: wait.chain) > 0 {
          if Delivery.count(of: wait.key, in: own.chain) > 0 { return true }
          if !reached.contains(where: { $0.key == wait.key }) { reached.append(wait) }
        }
        index += 1
      }
      unsafe waits.append(own)
      return false
    }
  }

  /// Removes the wait that `begin(for:)` has recorded for the calling thread.
  func end() {
    let chain = Delivery.innermost
    lock.withLock { unsafe waits.removeAll { $0.chain == chain } }
  }
}
