internal import PlatformLocks
internal import UnfairLocks

/// The tasks that wait for deliveries, of all lifecycles.
///
/// A delivery that ends in a closed lifecycle looks here, if somebody waits for that lifecycle. That is so rare that one lock and
/// one list for all lifecycles do.
final class SuspendedInvalidations: Sendable {
  typealias Waiter = CheckedContinuation<Void, Never>

  static let shared = SuspendedInvalidations()

  private struct Entry {
    let anchor: UInt
    let waiter: Waiter
  }

  private let lock = UnfairLock()

  // Sound: only touched while `lock` is held; the dynamic check would repeat at run time what the lock already ensures.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var entries: [Entry] = []

  private init() {}

  /// Resumes `waiter` when the next delivery to the lifecycle at `anchor` has ended; at once, if `isOutdated`.
  ///
  /// - Parameter isOutdated: Whether a delivery has ended since the caller looked. It is called under the lock, which a delivery
  ///   that ends takes after it has counted its end: either it finds the waiter, or this finds it counted.
  func add(_ waiter: Waiter, _ anchor: UInt, unless isOutdated: () -> Bool) {
    let isAdded = lock.withLock {
      if isOutdated() { return false }
      unsafe entries.append(Entry(anchor: anchor, waiter: waiter))
      return true
    }
    if !isAdded { waiter.resume() }
  }

  /// A delivery to the lifecycle at `anchor` has ended.
  func resume(_ anchor: UInt) {
    var ready: [Entry] = []
    lock.withLock {
      ready = unsafe entries.filter { $0.anchor == anchor }
      if !ready.isEmpty { unsafe entries.removeAll { $0.anchor == anchor } }
    }
    for entry in ready { entry.waiter.resume() }
  }
}
