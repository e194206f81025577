#if Exploration
  import AsyncLocks
  import AtomicProperties
  import Dispatch
  import Exploration
  import Protectors
  import Synchronization
  import Testing
  import UnfairLocks

  /// Compares whole reports of failures with the expected lines.
  @Suite struct ReportTests {
    /// Explores `body`, and returns the failure's reason and the report's lines without step numbers.
    private func report(
      _ strategy: ExplorationStrategy = .exhaustive(), _ body: @escaping @Sendable (Execution) throws -> Void
    ) throws -> [String] {
      let failure = try failure(strategy, limits: ExplorationLimits(), body)
      let lines = failure.description.split(separator: "\n").map(String.init)
      #expect(lines[1].hasPrefix("Found after ") && lines[1].hasSuffix(" steps; T0 runs the body:"))
      #expect(lines.last == "To run it again: explore(.replay(\"\(failure.replay)\"))")
      #expect(failure.steps.count >= lines.count - 3)
      return [failure.reason] + lines[2..<lines.count - 1].map { String($0.dropFirst(6)) }
    }

    @Test func anUpdateIsLostBetweenTwoSections() throws {
      let line = #line
      let lines = try report { run in
        let balance = Protector(0, label: "balance")
        let add: @Sendable () -> Void = {
          let old = balance.withReadLock { $0 }
          balance.withWriteLock { $0 = old + 1 }
        }
        let one = run.thread(add)
        let two = run.thread(add)
        one.join()
        two.join()
        run.expect(balance.withReadLock { $0 } == 2, "an update was lost")
      }
      let expected = [
        "Expectation: an update was lost.",
        "T1  ReportTests.swift:\(line + 4)  runs a read section of Protector \"balance\"",
        "T2  ReportTests.swift:\(line + 4)  runs a read section of Protector \"balance\"",
        "T2  ReportTests.swift:\(line + 5)  runs a write section of Protector \"balance\"",
        "T1  ReportTests.swift:\(line + 5)  runs a write section of Protector \"balance\"",
        "T0  ReportTests.swift:\(line + 9)  joins T1",
        "T0  ReportTests.swift:\(line + 10)  joins T2",
        "T0  ReportTests.swift:\(line + 11)  runs a read section of Protector \"balance\"",
        "T0  ReportTests.swift:\(line + 11)  finds: an update was lost",
      ]
      #expect(lines == expected)
    }

    @Test func locksAreAcquiredInOppositeOrders() throws {
      let line = #line
      let lines = try report { run in
        let accounts = ExclusiveProtector(0, label: "accounts")
        let log = UnfairLock()
        let one = run.thread { accounts.withLock { _ in log.withLock {} } }
        let two = run.thread { log.withLock { accounts.withLock { _ in } } }
        one.join()
        two.join()
      }
      let log = "UnfairLock (made at ReportTests.swift:\(line + 3))"
      let expected = [
        "Deadlock: T0 waits for the end of T1; T1 waits for \(log), which T2 holds; "
          + "T2 waits for ExclusiveProtector \"accounts\", which T1 holds.",
        "T1  ReportTests.swift:\(line + 4)  acquires ExclusiveProtector \"accounts\"",
        "T2  ReportTests.swift:\(line + 5)  acquires \(log)",
        "T2  ReportTests.swift:\(line + 5)  waits for ExclusiveProtector \"accounts\", which T1 holds",
        "T1  ReportTests.swift:\(line + 4)  waits for \(log), which T2 holds",
      ]
      #expect(lines == expected)
    }

    @Test func aValueIsPublishedWithoutOrdering() throws {
      let line = #line
      let lines = try report { run in
        let value = ExploredCell(0)
        let isReady = LockFreeProperty(false)
        let writer = run.thread {
          value.value = 1
          isReady.store(true, ordering: .relaxed)
        }
        if isReady.load(ordering: .relaxed) {
          _ = value.value
        }
        writer.join()
      }
      let expected = [
        "Data race: step 6 and step 2 access the same cell, and nothing orders them.",
        "T1  ReportTests.swift:\(line + 5)  writes cell c0",
        "T1  ReportTests.swift:\(line + 6)  stores w0 = 1, relaxed",
        "T0  ReportTests.swift:\(line + 8)  loads w0, relaxed: 1 (of step 3)",
        "T0  ReportTests.swift:\(line + 9)  reads cell c0",
      ]
      #expect(lines == expected)
    }

    @Test func aLostWakeUpIsNamedByItsPredicate() throws {
      let lines = try report { run in
        let elements = ExclusiveProtector([Int](), label: "elements")
        let consumers = (0..<2).map { _ in
          run.thread { elements.withLock(waitingUntil: { !$0.isEmpty }) { $0.removeFirst() } }
        }
        elements.withLock { $0.append(1) }
        for consumer in consumers { consumer.join() }
      }
      #expect(lines[0].contains("waits for a predicate of ExclusiveProtector \"elements\""))
      #expect(lines.count <= 15)
    }

    @Test func asyncMutexesAreAcquiredInOppositeOrders() throws {
      let line = #line
      let lines = try report(.exhaustive(preemptions: 1)) { run in
        let mutexes = (0..<2).map { _ in AsyncMutex(0) }
        let accounts = AsyncMutex(0, label: "accounts")
        let one = run.task { await accounts.withLock { _ in await mutexes[1].withLock { _ in } } }
        let two = run.task { await mutexes[1].withLock { _ in await accounts.withLock { _ in } } }
        one.join()
        two.join()
      }
      let log = "AsyncMutex (made at ReportTests.swift:\(line + 2))"
      let waits = [
        "T1 waits for \(log), which T2 holds", "T2 waits for AsyncMutex \"accounts\", which T1 holds",
      ]
      #expect(lines[0] == "Deadlock: T0 waits for the end of T1; \(waits.joined(separator: "; ")).")
      for (number, wait) in waits.enumerated() {
        let text = "ReportTests.swift:\(line + 4 + number)  \(wait.dropFirst(3))"
        #expect(lines.contains("T\(number + 1)  \(text)"), "\(lines)")
      }
    }

    @Test func aTaskThatReadsAStreamIsResumedByTheOneThatWrites() throws {
      let lines = try report(.exhaustive(preemptions: 1)) { run in
        let isReading = LockFreeProperty(false)
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let reading = run.task {
          isReading.store(true, ordering: .releasing)
          for await _ in stream { break }
        }
        let writing = run.task {
          let wasReading = isReading.load(ordering: .acquiring)
          continuation.yield(1)
          return wasReading
        }
        let wasReading = writing.join()
        reading.join()
        run.expect(!wasReading, "the reading task waits")
      }
      #expect(lines.contains { $0.hasPrefix("T1") && $0.hasSuffix("  is resumed by T2") }, "\(lines)")
      #expect(!lines.contains { $0.hasSuffix("  runs") }, "\(lines)")
    }

    @Test func theEndOfAWaitNamesTheTask() throws {
      let lines = try report { run in
        let value = ExclusiveProtector(0)
        let task = run.task {
          try await Task.sleep(for: .seconds(1))
          _ = try? await value.withLock(waitingUntil: { $0 > 0 }, timeout: .seconds(1)) { _ in }
        }
        task.join()
        run.expect(false, "both waits end")
      }
      for event in ["resumes T1", "lets the deadline of T1 pass"] {
        #expect(lines.contains { $0.hasPrefix("T2") && $0.hasSuffix("  \(event)") }, "\(lines)")
      }
      #expect(lines.contains { $0.hasPrefix("T1") && $0.hasSuffix("  is resumed by T2") }, "\(lines)")
    }

    // Not local: a semaphore on which a thread waits must not be destroyed.
    private static let semaphore = DispatchSemaphore(value: 0)

    @Test func aBlockedThreadIsNamed() throws {
      let line = #line
      var limits = ExplorationLimits()
      limits.longestStep = .seconds(5)
      let failure = try failure(limits: limits) { run in
        let lock = UnfairLock()
        let thread = run.thread {
          lock.withLock {}
          Self.semaphore.wait()
        }
        thread.join()
      }
      let expected =
        "Blocked: T1, after its step at ReportTests.swift:\(line + 6), waits for something that the explorer "
        + "does not control."
      #expect(failure.reason == expected)
    }
  }
#endif
