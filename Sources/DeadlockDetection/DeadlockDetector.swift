public import DeadlockDetector

/// The public interface of the deadlock detector.
///
/// Without the trait `DeadlockDetection` it does nothing: its functions only run the closures that they get.
public enum DeadlockDetector {
  /// Whether the package was built with the trait `DeadlockDetection`.
  @_alwaysEmitIntoClient
  public static var isOn: Bool { LockNode.isOn }

  /// Runs `body` as the critical section of a lock that the detector can't see.
  ///
  /// Such a lock is an `NSLock`, a dispatch queue or a file lock, for example.
  ///
  /// ```swift
  /// import Dispatch
  ///
  /// let queue = DispatchQueue(label: "cache")
  /// DeadlockDetector.holding("cache") { queue.sync { … } }
  /// ```
  ///
  /// Acquire the lock inside `body`, as in the example: the detector then reports a possible deadlock before
  /// the thread waits. This function itself acquires no lock of the program. All calls with the same name stand
  /// for the same lock. A call inside a call with the same name is reported, so call it once around a
  /// recursive lock.
  ///
  /// - Parameters:
  ///   - name: The name that identifies the lock, also in reports.
  ///   - file: The file of this call. Reports name the file and line of the first call with this name.
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
  /// Call it before code that may need any lock: before `continuation.resume`, before `task.cancel()`, or
  /// before a callback. With the action `DeadlockAction.trap`, which is the default in tests, the report traps.
  /// A delivery to a `Lifecycle` does not count as a lock here.
  ///
  /// ```swift
  /// let task = Task { … }
  /// DeadlockDetector.noLockMayBeHeld(before: "a task is cancelled")
  /// task.cancel()
  /// ```
  ///
  /// - Parameter call: How the report describes the code that runs next.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func noLockMayBeHeld(before call: StaticString = "code is called that may need any lock") {
    checkNoLockHeld(before: call)
  }

  /// Runs `body`, and gives the key to each lock that the calling thread makes meanwhile.
  ///
  /// Keys order the locks of a label for which `declareOrder(of:_:)` declares `DeclaredOrder.byKey`.
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
  /// The detector reports an acquisition against the order when it happens, even if no other thread takes part.
  /// In their order with other locks, all locks of the label count as one lock. For example, one thread
  /// acquires a lock of the label and then the lock `log`, and another thread acquires `log` and then a
  /// different lock of the label. That is reported as a possible deadlock.
  ///
  /// The order holds for acquisitions after the call. It holds among all locks with the label, of any type.
  ///
  /// - Parameters:
  ///   - label: The label that the locks' initializers get.
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

  /// Sets the detector's response to the problems that it finds from now on, on all threads.
  ///
  /// Before the first call, the environment variable `INTERLOCK_DEADLOCKS` sets it to `trap` or `print`. Any
  /// other value traps. Processes with raised privileges ignore the variable.
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
  /// The waiting thread makes the report, which contains the locks that each thread holds. Then it continues to
  /// wait; a long wait never traps. Each wait is reported at most once.
  ///
  /// Waits with a timeout are not reported. Nor are waits for a dispatch queue, a `PosixReadWriteLock` or a
  /// `SpinReadWriteLock`. Of the waits of tasks, those in `withLock` of an `AsyncMutex` are reported, by another
  /// thread. On Darwin, waits for an `UnfairLock` or a type that contains one are not reported.
  ///
  /// - Parameter limit: The limit, which must not be negative; `nil`, the default, for no reports of long
  ///   waits.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func setWaitLimit(_ limit: Duration?) {
    #if DeadlockDetection
      Detector.shared.setWaitLimit(limit)
    #endif
  }

  /// Deletes the orders in which locks were acquired so far, and which problems have been reported.
  ///
  /// The detector may then report the same problem again. The declared orders, the action and the wait limit
  /// stay.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func forgetAll() {
    #if DeadlockDetection
      Detector.shared.forgetAll()
    #endif
  }

  /// Sets whether the detector expects one order of the locks that a line of code makes and of those that
  /// another line makes.
  ///
  /// It does so at first. Each request may have two locks of its own, for example: one request acquires `a`
  /// and then `b`, another one `b` and then `a`. The detector reports this although no two threads use the
  /// same locks. Two exceptions need no call: locks of one line have no order among one another, and a thread
  /// may release locks in the order of acquisition, hand over hand.
  ///
  /// Switch it off if the locks of a line have different roles, for example in a generic container.
  ///
  /// - Parameter learns: Whether the detector does so from now on. `false` deletes the orders of lines that
  ///   it has learned.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func setLearnsClassOrders(_ learns: Bool) {
    #if DeadlockDetection
      Detector.shared.setLearnsClassOrders(learns)
    #endif
  }

  /// The number of problems that were not reported again, because all their places in the code are in earlier
  /// reports.
  ///
  /// The detector reports a mistake once, although many objects may show it. Without the trait
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
  /// A pair is two locks of which a thread acquired one while it held the other one. A pair counts several
  /// times if it was acquired in different ways, for example for reading and for writing. Deallocated locks are
  /// forgotten. Without the trait `DeadlockDetection` both numbers are 0.
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
  /// The lock at the lowest address comes first.
  case byAddress
  /// The lock with the lowest key comes first; see `withOrderKey(_:_:)`.
  ///
  /// No thread may hold two locks with equal keys.
  case byKey
  /// A thread may hold only one of the locks at a time.
  case onlyOne
}

/// A report of the detector, which `DeadlockAction.call(_:)` passes to a closure.
public struct DeadlockReport: Sendable {
  /// The problems that the detector reports.
  public enum Kind: Sendable {
    /// Threads can wait for one another for ever; in this run they did not.
    case possible
    /// Threads wait for one another now, and will wait for ever.
    case happened
    /// A thread acquired locks of one label against the order that is declared for the label.
    case order
    /// A thread called `noLockMayBeHeld(before:)` while it held a lock.
    ///
    /// Also reported if this package is about to run code of the program while the thread holds a lock.
    case callWhileLocked
    /// A thread has waited for a lock for longer than the limit of `setWaitLimit(_:)`.
    case longWait
    /// A thread holds more than 64 locks, and the detector does not see the others.
    ///
    /// Reported once in a process.
    case untracked
  }

  /// The problem that this report is about.
  public let kind: Kind
  /// The names of the locks that take part in the problem.
  public let locks: [String]
  /// The report to print: the locks, threads and stacks, and advice.
  public let text: String
}

/// The detector's response to a problem that it finds (see `setAction(_:)`).
public enum DeadlockAction: Sendable {
  /// Prints the report to standard error, and traps unless the problem is only a long wait.
  ///
  /// This is the default in test processes.
  case trap
  /// Prints the report to standard error; the program continues.
  ///
  /// This is the default in processes that are no tests.
  case print
  /// Calls the closure with the report.
  ///
  /// The closure runs on the thread that found the problem, while that thread holds its locks. The detector
  /// ignores locks that the closure acquires.
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
