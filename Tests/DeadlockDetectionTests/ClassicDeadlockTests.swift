#if DeadlockDetection
  import AtomicProperties
  import DeadlockDetection
  import Dispatch
  import Foundation
  import LazyInitialization
  import Lifecycles
  import Protectors
  import ReadWriteLocks
  import TestSupport
  import Testing
  import InterlockCore
  import UnfairLocks

  /// Runs programs in which classic deadlocks are possible but don't happen, and expects a report of each.
  ///
  /// Each program runs in a process of its own, because most of the reports trap.
  @Suite(.serialized) struct ClassicDeadlockTests {
    @Test func twoLocksInverted() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let accounts = UnfairLock(label: "accounts")
        let log = UnfairLock(label: "log")
        func book() { accounts.withLock { log.withLock {} } }
        func list() { log.withLock { accounts.withLock {} } }
        book()
        list()
      }
      expectReport(
        result?.standardErrorContent, "deadlock possible: 2 threads can wait for one another",
        "UnfairLock \"accounts\" (#", "UnfairLock \"log\" (#", "made at ClassicDeadlockTests.swift:", "book",
        "list"
      )
    }

    @Test func threeProtectorsInACycle() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let forks = (0..<3).map { _ in Protector(0, label: "fork") }
        for philosopher in 0..<3 {
          PlatformThread {
            forks[philosopher].withWriteLock { _ in forks[(philosopher + 1) % 3].withWriteLock { _ in } }
          }.join()
        }
      }
      expectReport(
        result?.standardErrorContent, "deadlock possible: 3 threads can wait for one another",
        "Protector \"fork\"")
    }

    @Test func severalProtectorsAtOnceInsideALockThatOneOfThemNeeds() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        DeadlockDetector.action = .print
        let lock = UnfairLock(label: "lock")
        let pair = [Protector(0, label: "pair"), Protector(0, label: "pair")]
        for position in 0...1 {
          for isArray in [false, true] {
            lock.withLock {
              if isArray {
                withWriteLocks(pair) { $0[0] += 1 }
              } else {
                withWriteLocks(pair[0], pair[1]) { $1 += $0 }
              }
            }
            pair[position].withWriteLock { _ in lock.withLock {} }
            DeadlockDetector.forgetAll()
          }
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.components(separatedBy: "deadlock possible: 2 threads").count == 5, "\(text)")
    }

    @Test func aScopeInsideTheSameScope() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let lock = NSLock()
        DeadlockDetector.holding("x") {
          lock.withLock { DeadlockDetector.holding("x") { lock.withLock {} } }
        }
      }
      expectReport(
        result?.standardErrorContent,
        "deadlock possible: a thread acquires again what it holds, and waits for itself", "scope \"x\"",
        "ClassicDeadlockTests.swift:")
    }

    @Test func aChainOfQueuesThatEndsInItsFirstQueue() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let queue = DispatchQueue(label: "queue")
        let first = QueueProperty(0, on: queue, label: "first")
        let second = QueueProperty(0, label: "second")
        let third = QueueProperty(0, on: queue)
        first.update { _ in second.update { _ in third.update { $0 += 1 } } }
      }
      expectReport(
        result?.standardErrorContent,
        "deadlock possible: a thread acquires again what it holds, and waits for itself",
        "queue of QueueProperty \"first\"")
    }

    @Test func aChainOfSectionsThatReadsItsFirstLockAgain() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let first = DispatchReadWriteLock(label: "first")
        let second = DispatchReadWriteLock(label: "second")
        first.withReadLock { second.withReadLock { first.withReadLock {} } }
      }
      expectReport(
        result?.standardErrorContent,
        "deadlock possible: a thread reads again in a read section, and waits for ever if a writer waits",
        "DispatchReadWriteLock \"first\"")
    }

    @Test func locksOfDifferentObjectsOfOneClass() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        DeadlockDetector.learnsClassOrders = true
        for index in 0..<2 {
          let request = Request()
          if index == 0 { request.send() } else { request.receive() }
        }
      }
      expectReport(
        result?.standardErrorContent, "deadlock possible: 2 threads can wait for one another",
        "UnfairLock \"header\" (#", "Protector \"body\" (#", "Request.send", "Request.receive",
        "if these are the same locks")
    }

    @Test func aWaitForAPredicateThatNoWriterCanMakeTrue() async {
      let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
        Trap.orDie()
        exitWithReport(of: .happened)
        let outer = ExclusiveProtector(0, label: "outer")
        let items = Protector<[Int]>([], label: "items")
        outer.withLock { _ in items.withWriteLock { $0.append(1) } }
        let holdsOuter = MeetingPoint(parties: 2)
        let writer = PlatformThread {
          holdsOuter.meet()
          outer.withLock { _ in items.withWriteLock { $0.append(2) } }
        }
        outer.withLock { _ in
          holdsOuter.meet()
          items.withWriteLock(waitingUntil: { $0.count > 1 }) { _ = $0.removeFirst() }
        }
        writer.join()
      }
      expectReport(
        result?.standardErrorContent, "deadlock: 2 threads wait for one another",
        "waits for predicate of a protector \"items\"", "ExclusiveProtector \"outer\"",
        "Wait for the predicate without holding a lock that the writers need")
    }

    @Test func aLockAndASerialQueue() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let lock = UnfairLock()
        let count = QueueProperty(0)
        PlatformThread { lock.withLock { count.update { $0 += 1 } } }.join()
        PlatformThread { count.update { _ in lock.withLock {} } }.join()
      }
      expectReport(
        result?.standardErrorContent, "deadlock possible: 2 threads can wait for one another",
        "queue of QueueProperty")
    }

    @Test func aLockAndAnInitializer() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let settings = Protector(["size": 3], label: "settings")
        let size = Lazy(label: "size") { settings.withReadLock { $0["size"]! } }
        PlatformThread { _ = size.value }.join()
        PlatformThread { settings.withWriteLock { $0["size"] = size.value } }.join()
      }
      expectReport(
        result?.standardErrorContent, "deadlock possible: 2 threads can wait for one another",
        "Lazy \"size\"", "Protector \"settings\"")
    }

    @Test func invalidationAgainstADeliveryThatWantsTheCallersLock() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let lock = UnfairLock(label: "model")
        let lifecycle = Lifecycle(label: "feed")
        lifecycle.activate()
        PlatformThread { lifecycle.whileActive { lock.withLock {} } }.join()
        lock.withLock { _ = lifecycle.invalidate() }
      }
      expectReport(
        result?.standardErrorContent, "deadlock possible: 2 threads can wait for one another",
        "Lifecycle \"feed\"", "UnfairLock \"model\"")
    }

    @Test func waitingForAPredicateInsideAnotherProtector() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let outer = ExclusiveProtector(0, label: "outer")
        let items = Protector([1])
        PlatformThread { outer.withLock { _ in items.withWriteLock { $0.append(2) } } }.join()
        outer.withLock { _ in
          items.withWriteLock(waitingUntil: { !$0.isEmpty }) { _ = $0.removeFirst() }
        }
      }
      expectReport(
        result?.standardErrorContent, "deadlock possible: 2 threads can wait for one another",
        "predicate of a protector", "ExclusiveProtector \"outer\"")
    }

    /// The only sections that can make the predicate true hold the other locks as well.
    @Test func waitingForAPredicateInsideALockThatItsJointWriterNeeds() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        DeadlockDetector.action = .print
        for (waited, outer) in [(0, 1), (1, 0), (0, 2), (1, 2), (2, 0)] {
          let items = (0..<3).map { ExclusiveProtector($0, label: "items") }
          PlatformThread {
            if waited + outer == 1 {
              withWriteLocks(items[0], items[1]) { ($0, $1) = (1, 1) }
            } else {
              withWriteLocks(items) { $0 = [1, 1, 1] }
            }
          }.join()
          items[outer].withLock { _ in items[waited].withLock(waitingUntil: { $0 > 0 }) { _ in } }
          DeadlockDetector.forgetAll()
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.components(separatedBy: "deadlock possible: 2 threads").count == 6, "\(text)")
    }

    /// A wait for several values that gives up is no section that can make a predicate true.
    @Test func waitingForAPredicateBesideAWaitForSeveralThatGaveUp() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        DeadlockDetector.action = .print
        let outer = ExclusiveProtector(0, label: "outer")
        let pair = [ExclusiveProtector(1, label: "pair"), ExclusiveProtector(1, label: "pair")]
        for items in pair {
          PlatformThread {
            _ = withWriteLocks(pair[0], pair[1], waitingUntil: { $0 > 5 && $1 > 5 }, timeout: .zero) { _, _ in
              1
            }
          }.join()
          PlatformThread { outer.withLock { _ in items.withLock { $0 = 1 } } }.join()
          outer.withLock { _ in items.withLock(waitingUntil: { $0 > 0 }) { _ in } }
          DeadlockDetector.forgetAll()
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.components(separatedBy: "deadlock possible: 2 threads").count == 3, "\(text)")
    }

    @Test func readingAgainWhileAWriterMayWait() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let lock = CompactReadWriteLock(label: "names")
        lock.withWriteLock {}
        lock.withReadLock { lock.withReadLock {} }
      }
      expectReport(
        result?.standardErrorContent,
        "deadlock possible: a thread reads again in a read section, and waits for ever if a writer waits",
        "CompactReadWriteLock \"names\"")
    }

    @Test func aCancellationHandlerAndALock() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let tasks = UnfairLock(label: "tasks")
        let handlers = UnfairLock(label: "handlers")
        let registered = AsyncStream.makeStream(of: Never.self)
        let task = Task {
          await withTaskCancellationHandler {
            registered.continuation.finish()
            try? await Task.sleep(for: .seconds(100))
          } onCancel: {
            handlers.withLock {}
          }
        }
        handlers.withLock { tasks.withLock {} }
        // Waits until the task has registered its handler, so that `cancel` runs the handler on this thread.
        for await _ in registered.stream {}
        tasks.withLock { task.cancel() }
        await task.value
      }
      expectReport(
        result?.standardErrorContent, "deadlock possible: 2 threads can wait for one another",
        "UnfairLock \"handlers\"", "UnfairLock \"tasks\"")
    }

    @Test func aContinuationResumedUnderALock() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let waiters = ExclusiveProtector(0, label: "waiters")
        await withCheckedContinuation { continuation in
          waiters.withLock { _ in
            DeadlockDetector.noLockMayBeHeld(before: "a continuation is resumed")
            continuation.resume()
          }
        }
      }
      expectReport(
        result?.standardErrorContent, "a call under a lock: a continuation is resumed",
        "ExclusiveProtector \"waiters\"")
    }

    @Test func aDeinitThatTakesTheLock() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let registry = Registry()
        registry.add()
        registry.removeAll()
      }
      #expect(
        Trap.message(in: result?.standardErrorContent)
          == "ExclusiveProtector: locked by the thread that already holds it; "
          + "take it once, and call what needs it from outside the section")
    }

    private final class Request: Sendable {
      let header = UnfairLock(label: "header")
      let body = Protector(0, label: "body")

      func send() { header.withLock { body.withWriteLock { $0 += 1 } } }

      func receive() { body.withWriteLock { _ in header.withLock {} } }
    }

    private final class Registry: Sendable {
      let entries = ExclusiveProtector<[Entry]>([])

      final class Entry: Sendable {
        let registry: Registry

        init(_ registry: Registry) { self.registry = registry }

        deinit { registry.entries.withLock { _ in } }
      }

      func add() {
        let entry = Entry(self)
        entries.withLock { $0.append(entry) }
      }

      func removeAll() { entries.withLock { $0.removeAll() } }
    }
  }

  /// Makes the process print the detector's first report of this kind, and exit with the status 7.
  func exitWithReport(of kind: DeadlockReport.Kind) {
    DeadlockDetector.action = .call { report in
      guard report.kind == kind else { return }
      FileHandle.standardError.write(Data(report.text.utf8))
      exit(7)
    }
  }

  /// Expects a report in `standardError` that begins with `beginning` and contains all of `parts`.
  func expectReport(
    _ standardError: [UInt8]?, _ beginning: String, _ parts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = String(decoding: standardError ?? [], as: UTF8.self)
    let isThere = Trap.message(in: standardError)?.hasPrefix(beginning) ?? false
    #expect(isThere, "\(text)", sourceLocation: sourceLocation)
    for part in parts {
      #expect(text.contains(part), "\(part) is missing in \(text)", sourceLocation: sourceLocation)
    }
  }
#endif
