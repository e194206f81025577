#if DeadlockDetection
  import AtomicProperties
  import DeadlockDetection
  import LazyInitialization
  import Lifecycles
  import Protectors
  import ReadWriteLocks
  import TestSupport
  import Testing
  import ThreadSupport
  import UnfairLocks

  /// Makes classic deadlocks possible in runs that don't deadlock, and expects a report of each.
  ///
  /// Each run is a process of its own, because the report traps.
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

    @Test func threeProtectorsInARing() async {
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

    @Test func aLockAndASerialQueue() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let lock = UnfairLock()
        let count = QueueProperty(0)
        PlatformThread { lock.withLock { count.modify { $0 += 1 } } }.join()
        PlatformThread { count.modify { _ in lock.withLock {} } }.join()
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
            DeadlockDetection.noLockMayBeHeld(before: "a continuation is resumed")
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
