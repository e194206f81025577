public import DeadlockDetector

/// The public interface of the deadlock detector.
///
/// Without the trait `DeadlockDetection`, its functions only run the closures that are passed to them.
public enum DeadlockDetector {
  /// Whether the package was built with the trait `DeadlockDetection`.
  @_alwaysEmitIntoClient
  public static var isOn: Bool { LockNode.isOn }

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
      scope.node.willAcquire()
      scope.node.didAcquire()
      defer { scope.node.didRelease() }
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

  /// Runs `body`, and gives `key` to each lock that the calling thread makes meanwhile.
  ///
  /// Keys order the locks of a label whose order is declared as `DeclaredOrder.byKey` (see
  /// `declareOrder(of:_:)`).
  ///
  /// ```swift
  /// import Protectors
  ///
  /// let account = DeadlockDetector.withOrderKey(7) { Protector(0, label: "account") }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of the new locks. Locks with lower keys must be acquired first.
  ///   - body: Makes the locks.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func withOrderKey<R: ~Copyable, E: Error>(_ key: Int, _ body: () throws(E) -> R) throws(E)
    -> R
  {
    #if DeadlockDetection
      let before = Detector.shared.setOrderKey(key)
      defer { _ = Detector.shared.setOrderKey(before) }
    #endif
    return try body()
  }

  /// Declares the order in which a thread must acquire several locks of one label.
  ///
  /// The detector reports an acquisition against the order when it happens, even if no other thread takes
  /// part. In their order with other locks, all locks of the label count as one lock. For example, suppose
  /// that one thread acquires a lock of the label and then the lock `log`. If another thread acquires `log`
  /// and then a different lock of the label, a possible deadlock is reported.
  ///
  /// The order applies to acquisitions after the call, and to all locks with the label, of any type.
  ///
  /// - Parameters:
  ///   - label: The label that was passed to the locks' initializers.
  ///   - order: The order in which a thread must acquire the locks.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func declareOrder(of label: StaticString, _ order: DeclaredOrder) {
    #if DeadlockDetection
      let order: LockOrder =
        switch order {
        case .byAddress: .byAddress
        case .byKey: .byKey
        case .onlyOne: .onlyOne
        }
      Detector.shared.declare(order, of: label)
    #endif
  }

  /// Sets the detector's response to problems that it finds from now on, on all threads.
  ///
  /// Until the first call, the environment variable `INTERLOCK_DEADLOCKS` determines the response: `trap` or
  /// `print`. With any other value, the process traps when it first uses the detector. Processes with raised
  /// privileges ignore the variable. Without the variable, tests trap, and other programs print.
  ///
  /// - Parameter action: The response, for example `DeadlockAction.print`.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func setAction(_ action: DeadlockAction) {
    #if DeadlockDetection
      install(action)
    #endif
  }

  /// Sets how long a thread may wait for a lock before the detector reports the wait.
  ///
  /// The waiting thread makes the report, which contains the locks that each thread holds, and then continues
  /// to wait. A long wait never traps. Each wait is reported at most once.
  ///
  /// Waits with a timeout are not reported, and neither are waits for a dispatch queue, a
  /// `PosixReadWriteLock` or a `SpinReadWriteLock`. Of the waits of tasks, only those in `withLock` of an
  /// `AsyncMutex` are reported, by another thread. On Darwin, waits for an `UnfairLock` or for a type that
  /// contains one are not reported.
  ///
  /// - Parameter limit: The limit, which must not be negative: a negative limit traps. With `nil`, which is
  ///   the initial setting, long waits are not reported.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func setWaitLimit(_ limit: Duration?) {
    #if DeadlockDetection
      Detector.shared.setWaitLimit(limit)
    #endif
  }

  /// Deletes the recorded orders in which locks were acquired, and the record of reported problems.
  ///
  /// The detector may then report the same problem again. The declared orders, the action and the wait limit
  /// do not change.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func forgetAll() {
    #if DeadlockDetection
      Detector.shared.forgetAll()
    #endif
  }

  /// Sets whether the detector also learns orders between groups of locks, each made by one line of code.
  ///
  /// This setting is on at first. The detector then expects that the locks of one group are always acquired
  /// before those of another group, or always after them. For example, each request has two locks of its own.
  /// One request acquires its lock `a` and then its lock `b`, and another request acquires its locks in the
  /// opposite order. The detector reports a possible deadlock, although no two threads use the same locks.
  ///
  /// The detector learns no order between locks of one group. It also learns none from hand-over-hand
  /// locking, where a thread acquires the next lock of a chain before it releases the previous one.
  ///
  /// Turn the setting off if the locks of one group have different roles, for example in a generic container.
  ///
  /// - Parameter learns: Whether the detector learns such orders from now on. `false` deletes those that it
  ///   has learned.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func setLearnsClassOrders(_ learns: Bool) {
    #if DeadlockDetection
      Detector.shared.setLearnsClassOrders(learns)
    #endif
  }

  /// The number of problems that were found but not reported, because earlier reports had already shown every
  /// place in the code that takes part in them.
  ///
  /// The detector reports a mistake in the code once, although many objects may show it. Without the trait
  /// `DeadlockDetection` the number is 0.
  @_alwaysEmitIntoClient
  public static var repeatedReports: Int {
    #if DeadlockDetection
      Detector.shared.repeatedReports
    #else
      0
    #endif
  }

  /// The numbers of locks and of pairs of locks that the detector remembers.
  ///
  /// A pair consists of two locks, one of which a thread acquired while it held the other. A pair counts
  /// several times if it was acquired in different ways, for example for reading and for writing. Deallocated
  /// locks are not counted. Without the trait `DeadlockDetection` both numbers are 0.
  @_alwaysEmitIntoClient
  public static var remembered: (locks: Int, pairs: Int) {
    #if DeadlockDetection
      Detector.shared.remembered
    #else
      (0, 0)
    #endif
  }
}

/// The order in which a thread must acquire several locks of one label (see `declareOrder(of:_:)`).
public enum DeclaredOrder: Sendable {
  /// Locks with lower addresses must be acquired first.
  case byAddress
  /// Locks with lower keys must be acquired first; see `withOrderKey(_:_:)`.
  ///
  /// No thread may hold two locks with equal keys.
  case byKey
  /// A thread must not hold more than one of the locks at a time.
  case onlyOne
}

/// A report of the detector, which `DeadlockAction.call(_:)` passes to a closure.
public struct DeadlockReport: Sendable {
  /// The kinds of problems that the detector reports.
  public enum Kind: Sendable {
    /// A deadlock can happen, but has not yet: threads can wait for one another, or a thread for itself.
    case possible
    /// Threads wait for one another now, and will wait forever.
    case happened
    /// A thread acquired locks of one label against the order that is declared for the label.
    case order
    /// A thread called `noLockMayBeHeld(before:)` while it held a lock.
    ///
    /// This kind is also reported if this package is about to run code of the program while the thread holds
    /// a lock.
    case callWhileLocked
    /// A thread has waited for a lock for longer than the limit of `setWaitLimit(_:)`.
    case longWait
    /// A thread holds more than 64 locks, of which the detector sees only the first 64.
    ///
    /// This kind is reported only once in a process.
    case untracked
  }

  /// The kind of the reported problem.
  public let kind: Kind
  /// The names of the locks that take part in the problem.
  public let locks: [String]
  /// The full text of the report: the locks, the threads and their stacks, and advice.
  public let text: String
}

/// The detector's response to a problem that it finds (see `setAction(_:)`).
public enum DeadlockAction: Sendable {
  /// Prints the report to standard error, and traps.
  ///
  /// Problems of the kinds `longWait` and `untracked` don't trap. This action is the default in tests.
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

#if DeadlockDetection
  @usableFromInline
  func install(_ action: DeadlockAction) {
    switch action {
    case .trap: Detector.shared.setAction(.trap)
    case .print: Detector.shared.setAction(.print)
    case .call(let closure):
      Detector.shared.setAction(
        .call { found in
          let kind: DeadlockReport.Kind =
            switch found.kind {
            case .possible: .possible
            case .happened: .happened
            case .order: .order
            case .callWhileLocked: .callWhileLocked
            case .longWait: .longWait
            case .untracked: .untracked
            }
          closure(DeadlockReport(kind: kind, locks: found.locks, text: found.text))
        })
    }
  }
#endif
