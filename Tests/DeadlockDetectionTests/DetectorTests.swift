#if DeadlockDetection
  import AtomicProperties
  import CForking
  import DeadlockDetection
  import InterlockCore
  import Foundation
  import Lifecycles
  import Protectors
  import ReadWriteLocks
  import TestSupport
  import Testing
  import UnfairLocks

  /// Tests the contents of the detector's reports, and when and how often they are made.
  ///
  /// Each test uses the detector in a process of its own. The tests run one after another, because a report
  /// takes seconds of processor time in this large program.
  @Suite(.serialized) struct DetectorTests {
    @Test(
      "A negative wait limit traps",
      arguments: [
        (.seconds(-1), "-1.0 seconds"), (.seconds(Int64.min) * 2, "less than \(Int64.min) seconds"),
      ] as [(Duration, String)])
    func aNegativeWaitLimitTraps(limit: Duration, text: String) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [limit = limit as Duration] in
        DeadlockDetector.waitLimit = limit
      }
      let message = result?.standardErrorContent.trap
      #expect(message == "DeadlockDetection: a wait limit of \(text) is negative; set nil for no limit")
    }

    @Test func settingsAreReadBack() async {
      await #expect(processExitsWith: .success) {
        let reports = AtomicProperty(0)
        DeadlockDetector.action = .call { _ in reports.value += 1 }
        precondition(DeadlockDetector.learnsClassOrders && DeadlockDetector.waitLimit == nil)
        let action = DeadlockDetector.action
        DeadlockDetector.action = .trap
        guard case .trap = DeadlockDetector.action, !DeadlockDetector.learnsClassOrders else { exit(1) }
        DeadlockDetector.waitLimit = .seconds(3)
        DeadlockDetector.learnsClassOrders = true
        precondition(DeadlockDetector.waitLimit == .seconds(3) && DeadlockDetector.learnsClassOrders)
        DeadlockDetector.action = action
        UnfairLock().withLock { DeadlockDetector.noLockMayBeHeld() }
        precondition(reports.value == 1)
      }
    }

    @Test("The environment sets the action", arguments: ["print", "trap", "both"])
    func theEnvironmentSetsTheAction(_ value: String) async {
      let succeeds = value == "print"
      let result = await #expect(
        processExitsWith: succeeds ? .success : .failure, observing: [\.standardErrorContent]
      ) { [value = value as String] in
        setenv("INTERLOCK_DEADLOCKS", value, 1)
        let first = UnfairLock()
        let second = UnfairLock()
        first.withLock { second.withLock {} }
        second.withLock { first.withLock {} }
      }
      let message = result?.standardErrorContent.trap ?? ""
      if value == "both" {
        #expect(message == "DeadlockDetection: INTERLOCK_DEADLOCKS is 'both'; set it to trap or to print")
      } else {
        #expect(message.hasPrefix("deadlock possible"))
      }
    }

    /// A thread that waits for a predicate and holds no lock may have nothing to do.
    @Test func aLongWaitForAPredicateIsReportedOfAThreadWithALock() async {
      let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
        exitWithReport(of: .longWait)
        DeadlockDetector.waitLimit = .milliseconds(20)
        for holdsLock in [false, true] {
          let hasWork = Protector(false)
          let held = Boxed()
          race(threads: 2) { index in
            if index == 1 {
              // The report, which takes as long as the machine needs, ends the process.
              if holdsLock { Signal().wait() }
              MonotonicClock.sleep(.milliseconds(200))
              hasWork.exchange(true)
            } else if holdsLock {
              held.lock.withLock { hasWork.withReadLock(waitingUntil: { $0 }) { _ in } }
            } else {
              hasWork.withReadLock(waitingUntil: { $0 }) { _ in }
            }
          }
        }
      }
      expectReport(
        result?.standardErrorContent, "a long wait: thread ", ["waits for predicate", "holds UnfairLock"])
    }

    @Test func aDeadlockIsReportedWhenItsLastThreadGoesToSleep() async {
      let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
        exitWithReport(of: .happened)
        let locks = (0..<3).map { _ in Boxed() }
        let place = MeetingPoint(parties: 3)
        let threads = (0..<3).map { index in
          Joined(
            PlatformThread {
              locks[index].lock.withLock {
                place.meet()
                locks[(index + 1) % 3].lock.withLock {}
              }
            })
        }
        withExtendedLifetime(threads) { while true { sleep(1) } }
      }
      expectReport(
        result?.standardErrorContent, "deadlock: 3 threads wait for one another",
        [
          "waits for UnfairLock \"boxed\"",
          "and holds UnfairLock \"boxed\"", "DetectorTests.swift:",
        ])
    }

    @Test func aWaitBeyondTheLimitSaysWhoHoldsTheLock() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        DeadlockDetector.waitLimit = .milliseconds(50)
        let isReported = DispatchSemaphore(value: 0)
        DeadlockDetector.action = .call { report in
          FileHandle.standardError.write(Data(report.text.utf8))
          isReported.signal()
        }
        let box = Boxed()
        let place = MeetingPoint(parties: 2)
        let thread = PlatformThread {
          box.lock.withLock {
            place.meet()
            isReported.wait()
          }
        }
        place.meet()
        box.lock.withLock {}
        thread.join()
      }
      expectReport(
        result?.standardErrorContent, "a long wait: thread ",
        [
          "holds UnfairLock \"boxed\"",
          "waits for UnfairLock \"boxed\"",
        ])
    }

    @Test func theWatchOfLongWaitsDoesNotKeepTheProcessAlive() async {
      await #expect(processExitsWith: .success) {
        // A thread with frames of Swift alone, which `pthread_exit` can unwind.
        PlatformThread {
          let status = in_forked_child {
            DeadlockDetector.waitLimit = .milliseconds(10)
            pthread_exit(nil)
          }
          precondition(status == 0, "\(status)")
        }
        .join()
      }
    }

    /// The thread that watches does not exist in a child made by `fork`, which starts one of its own.
    @Test func aChildWatchesItsWaits() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.waitLimit = .seconds(3600)
        let status = in_forked_child {
          DeadlockDetector.action = .call { _ in exit(7) }
          DeadlockDetector.waitLimit = .milliseconds(10)
          let box = Boxed()
          let place = MeetingPoint(parties: 2)
          let thread = PlatformThread {
            box.lock.withLock {
              place.meet()
              place.meet()
            }
          }
          place.meet()
          box.lock.withLock {}
          thread.join()
          return 1
        }
        precondition(status == 7, "\(status)")
      }
    }

    @Test func locksThatHaveEndedAreForgotten() async {
      await #expect(processExitsWith: .success) {
        // Turns off orders between classes of locks. Half of the objects are locked inside `outer`, and half
        // around it, which would be reported as a cycle of two classes.
        DeadlockDetector.learnsClassOrders = false
        let outer = UnfairLock()
        for index in 0..<20_000 {
          // The new object usually has the address of the previous one, which was deallocated. Its lock is
          // acquired in the opposite order, so a report would follow if the detector mistook it for the
          // previous lock.
          let inner = Boxed()
          if index % 2 == 0 {
            outer.withLock { inner.lock.withLock {} }
          } else {
            inner.lock.withLock { outer.withLock {} }
          }
        }
        precondition(Detector.shared.remembered.locks <= 1, "\(Detector.shared.remembered)")
        precondition(Detector.shared.remembered.pairs == 0, "\(Detector.shared.remembered)")
      }
    }

    @Test func threadsThatHaveEndedLeaveNothing() async {
      await #expect(processExitsWith: .success) {
        let locks = [Boxed(), Boxed()]
        let before = Detector.shared.threadCount
        for _ in 0..<300 {
          PlatformThread { locks[0].lock.withLock { locks[1].lock.withLock {} } }.join()
        }
        precondition(Detector.shared.remembered.pairs == 1, "\(Detector.shared.remembered)")
        precondition(Detector.shared.threadCount <= before + 1, "\(Detector.shared.threadCount)")
      }
    }

    @Test func aClosureGetsTheReport() async {
      await #expect(processExitsWith: .exitCode(7)) {
        let first = Protector(0, label: "first")
        let second = AtomicProperty(0, label: "second")
        let reports = AtomicProperty(0)
        DeadlockDetector.action = .call { report in
          precondition(report.kind == .possible && report.locks.count == 2)
          // The detector must ignore the lock that the action's closure acquires in this line.
          reports.value += 1
          exit(7)
        }
        first.withWriteLock { _ in second.value += 1 }
        second.update { _ in first.withReadLock { _ in } }
      }
    }

    private final class Boxed: Sendable {
      let lock = UnfairLock(label: "boxed")
    }

    /// Owns a thread, and waits for its end in `deinit`.
    private final class Joined {
      let thread: PlatformThread

      init(_ thread: consuming PlatformThread) { self.thread = thread }
    }
  }
#endif
