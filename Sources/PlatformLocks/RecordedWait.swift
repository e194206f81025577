/// What a thread waits for.
package enum WaitKind: UInt8, Sendable, CaseIterable {
  case unfairLock, exclusiveProtector, atomicProperty, queueProperty
  case compactRead, compactWrite, biasedRead, biasedWrite, protectorRead, protectorWrite
  case spinRead, spinWrite, posixRead, posixWrite
  case once, onceCell, lazy
  /// `waitingUntil`: the thread waits for a value that another thread writes.
  case predicate
  /// `Lifecycle`: the thread waits for deliveries to end.
  case deliveries
  /// `Lifecycle`: the thread waits for another thread's activation.
  case activation
}

/// The functions of a profile of contention, which slow paths call.
///
/// While no profile records, there are none. Then a slow path reads one word, and a fast path does nothing.
package struct WaitHooks: Sendable {
  /// A thread is about to sleep, for the first time in a wait.
  ///
  /// Returns a ticket; 0 if the wait is not recorded.
  package typealias WillSleep = @Sendable (_ wakingKey: UInt, _ began: UInt64) -> UInt64
  /// A wait has ended.
  package typealias Ended = @Sendable (_ wait: EndedWait) -> Void
  /// A thread has released what others wait for, and is about to wake one of them.
  package typealias Released = @Sendable (_ wakingKey: UInt) -> Void

  fileprivate let willSleep: WillSleep
  fileprivate let ended: Ended
  fileprivate let released: Released

  package init(
    willSleep: @escaping WillSleep, ended: @escaping Ended, released: @escaping Released
  ) {
    self.willSleep = willSleep
    self.ended = ended
    self.released = released
  }

  /// The address of the functions in use; 0 for none.
  private static let address = AtomicWord()

  fileprivate static var current: UnsafePointer<WaitHooks>? {
    #if Exploration
      // An execution must not depend on durations.
      if ExploredThreads.current != nil { return nil }
    #endif
    return unsafe UnsafePointer(bitPattern: UInt(truncatingIfNeeded: address.load(.acquiring)))
  }

  /// Makes slow paths call these functions, or none.
  ///
  /// - Parameter hooks: Functions that are never deallocated, because waits that have begun call them later.
  package static func install(_ hooks: UnsafePointer<WaitHooks>?) {
    address.store(UInt64(UInt(bitPattern: hooks)), .sequentiallyConsistent)
  }

  /// Reports that the calling thread has released what others wait for.
  ///
  /// Call it between the step that releases and the wake-up. It uses the key alone, because the lock may already
  /// be deallocated.
  @inline(__always)
  package static func didRelease(_ wakingKey: UInt) {
    // Sound: installed functions are never deallocated.
    if let hooks = unsafe current { unsafe hooks.pointee.released(wakingKey) }
  }

  /// The clock of recorded waits, in nanoseconds.
  package static var now: UInt64 { Platform.monotonicNanoseconds() }
}

/// A wait that has ended, for a profile.
package struct EndedWait: Sendable {
  /// The key of the lock, or of what else the thread waited for.
  package let lock: UInt
  package let kind: WaitKind
  /// The key that the releasing thread passes to `didRelease`.
  package let wakingKey: UInt
  /// When the thread began to wait.
  package let began: UInt64
  /// What `willSleep` returned.
  package let ticket: UInt64
}

/// A thread's wait, from its arrival in a slow path until the value is destroyed at the end of the scope.
///
/// Nothing is recorded unless a profile is on at the beginning. A wait that never sleeps is not recorded.
@safe
package struct RecordedWait: ~Copyable {
  // Sound, and the type `@safe`: installed functions are never deallocated.
  private let hooks: UnsafePointer<WaitHooks>?
  private let lock: UInt
  private let kind: WaitKind
  private let wakingKey: UInt
  private let began: UInt64
  private var ticket: UInt64 = 0

  /// Notes that the calling thread begins to wait.
  ///
  /// - Parameters:
  ///   - lock: The key of the lock.
  ///   - kind: What the thread waits for.
  ///   - wakingKey: The key that the releasing thread passes to `didRelease`; the lock's if `nil`.
  package init(for lock: UInt, _ kind: WaitKind, wokenBy wakingKey: UInt? = nil) {
    unsafe hooks = WaitHooks.current
    self.lock = lock
    self.kind = kind
    self.wakingKey = wakingKey ?? lock
    began = unsafe hooks == nil ? 0 : WaitHooks.now
  }

  /// Notes that the thread is about to sleep.
  ///
  /// - Returns: Whether this took time, so that the caller should look at the lock again. True at most once.
  package mutating func willSleep() -> Bool {
    guard let hooks = unsafe hooks, ticket == 0 else { return false }
    ticket = unsafe hooks.pointee.willSleep(wakingKey, began)
    return ticket != 0
  }

  deinit {
    guard let hooks = unsafe hooks, ticket != 0 else { return }
    unsafe hooks.pointee.ended(
      EndedWait(lock: lock, kind: kind, wakingKey: wakingKey, began: began, ticket: ticket))
  }
}
