#if DeadlockDetection
  import AsyncLocks
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
    @Test(arguments: deadlocks)
    func aPossibleDeadlockIsReported(program: DetectorProgram) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [name = program.name as String] in
        await Self.deadlocks.first { $0.name == name }!.run()
      }
      expectReport(result?.standardErrorContent, program.report, program.parts)
    }

    @Test(arguments: printing)
    func eachPossibleDeadlockIsReportedOnce(program: DetectorProgram) async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        [name = program.name as String] in
        DeadlockDetector.action = .print
        await Self.printing.first { $0.name == name }!.run()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.components(separatedBy: "deadlock possible").count == program.reports + 1, "\(text)")
    }

    static let printing: [DetectorProgram] = [
      .printing(4, "several protectors at once inside a lock that one of them needs") {
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
      },
      // The only sections that can make the predicate true hold the other locks as well.
      .printing(5, "waiting for a predicate inside a lock that its joint writer needs") {
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
      },
      // A wait for several values that gives up is no section that can make a predicate true.
      .printing(2, "waiting for a predicate beside a wait for several that gave up") {
        let outer = ExclusiveProtector(0, label: "outer")
        let pair = [ExclusiveProtector(1, label: "pair"), ExclusiveProtector(1, label: "pair")]
        for items in pair {
          PlatformThread {
            _ = unlessTimedOut {
              try withWriteLocks(pair[0], pair[1], waitingUntil: { $0 > 5 && $1 > 5 }, timeout: .zero) {
                _, _ in
                1
              }
            }
          }.join()
          PlatformThread { outer.withLock { _ in items.withLock { $0 = 1 } } }.join()
          outer.withLock { _ in items.withLock(waitingUntil: { $0 > 0 }) { _ in } }
          DeadlockDetector.forgetAll()
        }
      },
      .printing(1, "a cycle of paired calls") {
        onAnotherThread {
          let first = UnfairLock()
          let second = CompactReadWriteLock()
          first.unsafeLock()
          second.unsafeReadLock()
          second.unsafeReadUnlock()
          first.unsafeUnlock()
          second.unsafeWriteLock()
          first.unsafeLock()
          first.unsafeUnlock()
          second.unsafeWriteUnlock()
        }
      },
      .printing(1, "a cycle after a report of another kind about its locks") {
        let first = UnfairLock()
        let second = UnfairLock()
        first.withLock { second.withLock { DeadlockDetector.noLockMayBeHeld() } }
        second.withLock { first.withLock {} }
      },
      .printing(2, "what was forgotten is reported again") {
        let first = UnfairLock()
        let second = UnfairLock()
        for _ in 0..<2 {
          first.withLock { second.withLock {} }
          second.withLock { first.withLock {} }
          DeadlockDetector.forgetAll()
        }
      },
    ]

    static let deadlocks: [DetectorProgram] = [
      .deadlock(
        "two locks inverted", naming: "UnfairLock \"accounts\" (#", "UnfairLock \"log\" (#",
        "made at ClassicDeadlockTests.swift:", "book", "list"
      ) {
        let accounts = UnfairLock(label: "accounts")
        let log = UnfairLock(label: "log")
        func book() { accounts.withLock { log.withLock {} } }
        func list() { log.withLock { accounts.withLock {} } }
        book()
        list()
      },
      .deadlock(
        "three protectors in a cycle", "deadlock possible: 3 threads can wait for one another",
        naming: "Protector \"fork\""
      ) {
        let forks = (0..<3).map { _ in Protector(0, label: "fork") }
        for philosopher in 0..<3 {
          PlatformThread {
            forks[philosopher].withWriteLock { _ in forks[(philosopher + 1) % 3].withWriteLock { _ in } }
          }.join()
        }
      },
      .deadlock(
        "a scope inside the same scope",
        "deadlock possible: a thread acquires again what it holds, and waits for itself",
        naming: "scope \"x\"", "ClassicDeadlockTests.swift:"
      ) {
        let lock = NSLock()
        DeadlockDetector.holding("x") {
          lock.withLock { DeadlockDetector.holding("x") { lock.withLock {} } }
        }
      },
      .deadlock(
        "a chain of queues that ends in its first queue",
        "deadlock possible: a thread acquires again what it holds, and waits for itself",
        naming: "queue of QueueProperty \"first\""
      ) {
        let queue = DispatchQueue(label: "queue")
        let first = QueueProperty(0, on: queue, label: "first")
        let second = QueueProperty(0, label: "second")
        let third = QueueProperty(0, on: queue)
        first.update { _ in second.update { _ in third.update { $0 += 1 } } }
      },
      .deadlock(
        "a chain of sections that reads its first lock again",
        "deadlock possible: a thread reads again in a read section, and waits forever if a writer waits",
        naming: "DispatchReadWriteLock \"first\""
      ) {
        let first = DispatchReadWriteLock(label: "first")
        let second = DispatchReadWriteLock(label: "second")
        first.withReadLock { second.withReadLock { first.withReadLock {} } }
      },
      .deadlock(
        "locks of different objects of one class", naming: "UnfairLock \"header\" (#",
        "Protector \"body\" (#", "Request.send", "Request.receive", "if these are the same locks"
      ) {
        DeadlockDetector.learnsClassOrders = true
        for index in 0..<2 {
          let request = Request()
          if index == 0 { request.send() } else { request.receive() }
        }
      },
      .deadlock("a lock and an initializer", naming: "Lazy \"size\"", "Protector \"settings\"") {
        let settings = Protector(["size": 3], label: "settings")
        let size = Lazy(label: "size") { settings.withReadLock { $0["size"]! } }
        PlatformThread { _ = size.value }.join()
        PlatformThread { settings.withWriteLock { $0["size"] = size.value } }.join()
      },
      .deadlock(
        "invalidation against a delivery that wants the callers lock", naming: "Lifecycle \"feed\"",
        "UnfairLock \"model\""
      ) {
        let lock = UnfairLock(label: "model")
        let lifecycle = Lifecycle(label: "feed")
        lifecycle.activate()
        PlatformThread { lifecycle.whileActive { lock.withLock {} } }.join()
        lock.withLock { _ = lifecycle.invalidate() }
      },
      .deadlock(
        "waiting for a predicate inside another protector", naming: "predicate of a protector",
        "ExclusiveProtector \"outer\""
      ) {
        let outer = ExclusiveProtector(0, label: "outer")
        let items = Protector([1])
        PlatformThread { outer.withLock { _ in items.withWriteLock { $0.append(2) } } }.join()
        outer.withLock { _ in
          items.withWriteLock(waitingUntil: { !$0.isEmpty }) { _ = $0.removeFirst() }
        }
      },
      .deadlock(
        "reading again while a writer may wait",
        "deadlock possible: a thread reads again in a read section, and waits forever if a writer waits",
        naming: "CompactReadWriteLock \"names\""
      ) {
        let lock = CompactReadWriteLock(label: "names")
        lock.withWriteLock {}
        lock.withReadLock { lock.withReadLock {} }
      },
      .deadlock(
        "a cancellation handler and a lock", naming: "UnfairLock \"handlers\"", "UnfairLock \"tasks\""
      ) {
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
      },
      .deadlock(
        "a continuation resumed under a lock", "a call under a lock: a continuation is resumed",
        naming: "ExclusiveProtector \"waiters\""
      ) {
        let waiters = ExclusiveProtector(0, label: "waiters")
        await withCheckedContinuation { continuation in
          waiters.withLock { _ in
            DeadlockDetector.noLockMayBeHeld(before: "a continuation is resumed")
            continuation.resume()
          }
        }
      },
      .deadlock(
        "a report shows the callers of a work item", "deadlock possible: 2 threads",
        naming: "submit #1 () in closure", "queue of QueueProperty"
      ) {
        let lock = UnfairLock()
        let count = QueueProperty(0)
        func submit() { count.update { _ in lock.withLock {} } }
        lock.withLock { count.update { $0 += 1 } }
        submit()
      },
      .deadlock("readers are a cycle once a writer can come between them", naming: "for reading") {
        let first = CompactReadWriteLock()
        let second = CompactReadWriteLock()
        first.withReadLock { second.withReadLock {} }
        second.withReadLock { first.withReadLock {} }
        first.withWriteLock {}
        second.withWriteLock {}
      },
      .deadlock(
        "asking for the write lock in a read section is reported",
        "deadlock possible: a thread asks for the write lock in a read section, and waits for itself"
      ) {
        let lock = SpinReadWriteLock()
        lock.withReadLock { lock.withWriteLock {} }
      },
      .deadlock("a scope stands for a lock of others", naming: "scope \"foreign\"") {
        let foreign = NSLock()
        let lock = UnfairLock()
        func useForeignLock() { DeadlockDetector.holding("foreign") { foreign.withLock {} } }
        lock.withLock { useForeignLock() }
        DeadlockDetector.holding("foreign") { foreign.withLock { lock.withLock {} } }
      },
      .deadlock(
        "invalidating inside a delivery under a lock that a delivery needs", naming: "Lifecycle \"feed\"",
        "UnfairLock \"model\""
      ) {
        let lock = UnfairLock(label: "model")
        let lifecycle = Lifecycle(label: "feed")
        lifecycle.activate()
        lifecycle.whileActive { lock.withLock {} }
        lifecycle.whileActive { lock.withLock { _ = lifecycle.invalidate() } }
      },
      .deadlock(
        "an activation under a lock that the body of another activation needs",
        naming: "activation of Lifecycle \"feed\"", "UnfairLock \"model\""
      ) {
        let lock = UnfairLock(label: "model")
        let lifecycle = Lifecycle(label: "feed")
        lifecycle.activate { lock.withLock {} }
        lock.withLock { _ = lifecycle.activate() }
      },
      .deadlock("deliveries that invalidate each others object") {
        let lifecycles = [Lifecycle(label: "first"), Lifecycle(label: "second")]
        for lifecycle in lifecycles { lifecycle.activate() }
        let started = MeetingPoint(parties: 2)
        race(threads: 2) { thread in
          lifecycles[thread].whileActive {
            started.meet()
            _ = lifecycles[1 - thread].invalidate()
          }
        }
      },
      .deadlock(
        "two mutexes inverted", "deadlock possible: 2 tasks can wait for one another",
        naming: "AsyncMutex \"accounts\"", "AsyncMutex \"log\"", "ClassicDeadlockTests.swift:"
      ) {
        let accounts = AsyncMutex(0, label: "accounts")
        let log = AsyncMutex(0, label: "log")
        await accounts.withLock { _ in
          await Task.yield()
          await log.withLock { _ in }
        }
        await log.withLock { _ in await accounts.withLock { _ in } }
      },
      .deadlock(
        "a mutex and a permit inverted", "deadlock possible: 2 tasks can wait for one another",
        naming: "AsyncMutex \"session\"", "AsyncSemaphore \"downloads\""
      ) {
        let session = AsyncMutex(0, label: "session")
        let downloads = AsyncSemaphore(permits: 4, label: "downloads")
        await downloads.withPermit { try? await session.withLockUnlessCancelled { _ in } }
        await session.withLock { _ in try? await downloads.withPermitUnlessCancelled {} }
      },
    ]

    @Test func aWaitForAPredicateThatNoWriterCanMakeTrue() async {
      let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
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
        [
          "waits for predicate of a protector \"items\"", "ExclusiveProtector \"outer\"",
          "Wait for the predicate without holding a lock that the writers need",
        ])
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains(", at\n") && !text.contains("holds , at"), "the writer holds nothing: \(text)")
    }

    @Test func aDeinitThatTakesTheLock() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let registry = Registry()
        registry.add()
        registry.removeAll()
      }
      #expect(
        result?.standardErrorContent.trap
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
    _ standardError: [UInt8]?, _ beginning: String, _ parts: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = String(decoding: standardError ?? [], as: UTF8.self)
    let isThere = standardError?.trap?.hasPrefix(beginning) ?? false
    #expect(isThere, "\(text)", sourceLocation: sourceLocation)
    for part in parts {
      #expect(text.contains(part), "\(part) is missing in \(text)", sourceLocation: sourceLocation)
    }
  }

  /// A program for a process of its own.
  struct DetectorProgram: Sendable, CustomTestStringConvertible {
    let name: String
    /// The number of reports.
    var reports = 0
    /// The beginning of the report that must end the program.
    var report = ""
    /// Texts that the report must contain.
    var parts: [String] = []
    let run: @Sendable () async -> Void

    var testDescription: String { name }

    static func deadlock(
      _ name: String, _ report: String = "deadlock possible: 2 threads can wait for one another",
      naming parts: String..., run: @escaping @Sendable () async -> Void
    ) -> Self {
      Self(name: name, reports: 1, report: report, parts: parts, run: run)
    }

    static func printing(_ reports: Int, _ name: String, run: @escaping @Sendable () async -> Void) -> Self {
      Self(name: name, reports: reports, run: run)
    }

    static func safe(_ name: String, run: @escaping @Sendable () async -> Void) -> Self {
      Self(name: name, run: run)
    }
  }
#endif
