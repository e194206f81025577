public import InterlockCore

/// The public interface of the deadlock detector.
///
/// Without the trait `DeadlockDetection`, its functions only run the closures that are passed to them.
public enum DeadlockDetector {
  /// Whether the package was built with the trait `DeadlockDetection`.
  @_alwaysEmitIntoClient
  public static var isOn: Bool { Probe.isOn }

  /// Runs `body` as the critical section of a lock that the detector can't see.
  ///
  /// The lock can be an `NSLock`, a dispatch queue or a file lock, for example.
  ///
  /// ```swift
  /// import Dispatch
  ///
  /// let queue = DispatchQueue(label: "cache")
  /// DeadlockDetector.holding("cache") { queue.sync { … } }
  /// ```
  ///
  /// Acquire the lock inside `body`, as in the example. The detector then reports a possible deadlock before
  /// the thread waits. This function itself acquires no lock of the program. All calls with the same name
  /// stand for the same lock. A nested call with the same name is reported, so call this function only around
  /// the outermost acquisition of a recursive lock.
  ///
  /// - Parameters:
  ///   - name: The name that identifies the lock, also in reports.
  ///   - file: The file of this call. Reports show the file and line of the first call with `name`.
  ///   - line: The line of this call.
  ///   - body: Acquires the lock, runs the critical section and releases the lock.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func holding<R: ~Copyable, E: Error>(
    _ name: StaticString, file: StaticString = #fileID, line: UInt = #line, _ body: () throws(E) -> R
  ) throws(E) -> R {
    #if DeadlockDetection
      let scope = Detector.shared.scope(name, file, line)
      scope.probe.willAcquire()
      scope.probe.didAcquire()
      defer { scope.probe.willRelease() }
    #endif
    return try body()
  }

  /// Reports the locks that the calling thread holds; does nothing if it holds none.
  ///
  /// Call this function before code that may need any lock: before `continuation.resume`, before
  /// `task.cancel()`, or before a callback. With the action `DeadlockAction.trap`, which is the default in
  /// tests, the report traps. A delivery to a `Lifecycle` does not count as a lock.
  ///
  /// ```swift
  /// let task = Task { … }
  /// DeadlockDetector.noLockMayBeHeld(before: "a task is cancelled")
  /// task.cancel()
  /// ```
  ///
  /// - Parameter call: The report's description of the code that is about to run.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func noLockMayBeHeld(before call: StaticString = "code is called that may need any lock") {
    checkNoLockHeld(before: call)
  }

  /// The detector's response to problems that it finds from now on, on all threads.
  ///
  /// Until it is set, the environment variable `INTERLOCK_DEADLOCKS` determines the response: `trap` or
  /// `print`. With any other value, the process traps when it first uses the detector. Processes with raised
  /// privileges ignore the variable. Without the variable, tests trap, and other programs print. Without the
  /// trait, it is always `.print`.
  @_alwaysEmitIntoClient
  public static var action: DeadlockAction {
    get {
      #if DeadlockDetection
        Detector.shared.action
      #else
        .print
      #endif
    }
    set {
      #if DeadlockDetection
        Detector.shared.action = newValue
      #endif
    }
  }

  /// The time that a thread or task may wait for a lock before the detector reports the wait.
  ///
  /// A thread of the detector makes the report, which contains the locks that each thread holds. A long wait
  /// never traps. Each wait that begins after it was set is reported at most once.
  ///
  /// A wait for deliveries or for an initializer counts as one for a lock, and so does a wait for a predicate if
  /// its thread holds a lock.
  ///
  /// Waits with a timeout are not reported. Of the waits of tasks, only those in `withLock` of an `AsyncMutex`
  /// are reported. On Darwin, waits for an `UnfairLock` or for a type that contains one are not reported. In a
  /// child made by `fork`, no wait is reported before it sets a limit.
  ///
  /// With `nil`, which is the initial setting, or a limit that the clock can't represent, long waits are not
  /// reported. A negative limit traps.
  @_alwaysEmitIntoClient
  public static var waitLimit: Duration? {
    get {
      #if DeadlockDetection
        Detector.shared.waitLimit
      #else
        nil
      #endif
    }
    set {
      #if DeadlockDetection
        Detector.shared.waitLimit = newValue
      #endif
    }
  }

  /// Deletes the recorded orders in which locks were acquired, and the record of reported problems.
  ///
  /// The detector may then report the same problem again. The action and the wait limit do not change.
  package static func forgetAll() {
    #if DeadlockDetection
      Detector.shared.forgetAll()
    #endif
  }

  /// A Boolean value that indicates whether the detector also learns orders between groups of locks, each made
  /// by one line of code.
  ///
  /// The detector then expects that the locks of one group are always acquired before those of another group,
  /// or always after them. For example, each request has two locks of its own. One request acquires its lock
  /// `a` and then its lock `b`, and another request acquires its locks in the opposite order. The detector
  /// reports a possible deadlock, although no two threads use the same locks.
  ///
  /// The detector learns no order between locks of one group. It reports some safe patterns: locks of one
  /// group with different roles, as in a generic container; an order of each object that its data decide; a
  /// chain of two groups that is locked hand over hand. Until it is set, it is therefore `false` with
  /// `DeadlockAction.trap`, and `true` with the other actions. When it becomes `false`, also by a new action, the
  /// detector forgets the orders of groups.
  @_alwaysEmitIntoClient
  public static var learnsClassOrders: Bool {
    get {
      #if DeadlockDetection
        Detector.shared.learnsClassOrders
      #else
        false
      #endif
    }
    set {
      #if DeadlockDetection
        Detector.shared.learnsClassOrders = newValue
      #endif
    }
  }
}

/// A report of the detector, which `DeadlockAction.call(_:)` passes to a closure.
public struct DeadlockReport: Sendable {
  /// The kinds of problems that the detector reports.
  public enum Kind: Sendable {
    /// A deadlock can happen, but has not yet: threads can wait for one another, or a thread for itself.
    case possible
    /// Threads wait for one another now, and will wait forever.
    case happened
    /// A thread called `noLockMayBeHeld(before:)` while it held a lock.
    ///
    /// This kind is also reported if this package is about to run code of the program while the thread holds
    /// a lock.
    case callWhileLocked
    /// A thread has waited for a lock for longer than `waitLimit`.
    case longWait
  }

  /// The kind of the reported problem.
  public let kind: Kind
  /// The names of the locks that take part in the problem.
  public let locks: [String]
  /// The full text of the report: the locks, the threads and their stacks, and advice.
  public let text: String
}

/// The detector's response to a problem that it finds (see `DeadlockDetector.action`).
public enum DeadlockAction: Sendable {
  /// Prints the report to standard error, and traps.
  ///
  /// Problems of the kind `longWait` don't trap. This action is the default in tests.
  case trap
  /// Prints the report to standard error; the program continues.
  ///
  /// This action is the default outside tests.
  case print
  /// Calls the closure with the report.
  ///
  /// The closure runs on the thread that found the problem, which continues to hold its locks meanwhile. The
  /// detector ignores the locks that the closure acquires.
  case call(@Sendable (DeadlockReport) -> Void)
}
