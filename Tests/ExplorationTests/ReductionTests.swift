#if Exploration
  @testable import Exploration
  import InterlockCore
  import Protectors
  import TestSupport
  import Testing
  import UnfairLocks

  /// Tests that `ExhaustiveStrategy` finds the outcomes that a search of every schedule finds.
  ///
  /// Each test explores small programs, without a bound on preemptions and with small bounds.
  @Suite struct ReductionTests {
    /// The words and the lock that the threads of a program share.
    final class Words: Sendable {
      let x = LockWord()
      let y = LockWord()
      let lock = UnfairLock()
      let deadline = Timeout(.seconds(1), for: Primitive(.unfairLock)).deadlineFromNow()

      func wait(onX: Bool = true, while expected: UInt32) -> UInt64 {
        switch onX ? x.wait(while: expected, until: deadline) : y.wait(while: expected, until: deadline) {
        case .woken: 10
        case .timedOut: 11
        default: 12
        }
      }

      /// Polls a word until it changes or the deadline passes.
      func poll(onX: Bool = true, while expected: UInt32) -> UInt64 {
        while (onX ? x.loadRelaxed() : y.loadRelaxed()) == expected {
          if deadline.hasPassed { return 30 }
          Backoff.yieldUntilChange(until: deadline)
        }
        return 31
      }

      func perform(
        _ kind: ExploredOperation.Kind, onX: Bool, _ ordering: MemoryOrdering, operand: UInt64 = 0,
        expected: UInt64 = 0
      ) -> UInt64 {
        let address = (onX ? x.key : y.key) &+ lockKeyOffset
        return ExploredThreads.current!.perform(
          ExploredOperation(
            kind, ordering, address: address, isWide: false, operand: operand, expected: expected,
            failureOrdering: ordering))
      }
    }

    /// A thread of a program; it returns the values that it has read.
    typealias Thread = @Sendable (Words) -> [UInt64]

    /// Tries every schedule, and counts the preemptions in each.
    private struct EverySchedule: Strategy {
      // `@unchecked Sendable` is sound: one thread of an exploration runs at a time.
      final class Count: @unchecked Sendable {
        var preemptions = 0
      }

      let count = Count()
      private var hasBegun = false
      private(set) var isExhaustive = false
      private var path: [(chosen: Int, count: Int)] = []
      private var position = 0

      mutating func begin() -> Bool {
        position = 0
        count.preemptions = 0
        guard hasBegun else {
          hasBegun = true
          return true
        }
        while let (chosen, count) = path.popLast() {
          guard chosen + 1 < count else { continue }
          path.append((chosen + 1, count))
          return true
        }
        isExhaustive = true
        return false
      }

      mutating func chooseThread(_ point: SchedulingPoint) -> Int? {
        let thread = point.enabled[chooseValue(count: point.enabled.count)]
        if thread != point.current, point.canPreempt { count.preemptions += 1 }
        return thread
      }

      mutating func chooseValue(count: Int) -> Int {
        defer { position += 1 }
        if position == path.count { path.append((0, count)) }
        return path[position].chosen
      }
    }

    /// Explores a program, and returns the outcomes of all executions.
    ///
    /// An outcome is a text of the values that the threads have read, and the final values of `x` and `y`.
    /// The first thread of the program runs the body.
    ///
    /// - Parameter group: Called at the end of each execution. Its result is the key under which the
    ///   execution's outcome is returned.
    private func outcomes(
      _ threads: [Thread], by strategy: any Strategy, dividesLocks: Bool = false,
      group: @escaping @Sendable () -> Int = { 0 }
    ) throws -> [Int: Set<String>] {
      let seen = Monitor<[Int: Set<String>]>([:])
      var limits = ExplorationLimits(duration: .seconds(1_200))
      limits.dividesLocks = dividesLocks
      let summary = try explore(by: strategy, limits: limits) { run in
        let words = Words()
        let others = threads.dropFirst().map { thread in run.thread { thread(words) } }
        var read = threads[0](words)
        for other in others { read += other.join() }
        let outcome = "\(read) \(words.x.loadRelaxed()) \(words.y.loadRelaxed())"
        // A redundant execution does not count, because its rest may exceed the bound on preemptions.
        if run.isRedundant { return }
        let number = group()
        seen.enter { _ = $0[number, default: []].insert(outcome) }
      }
      #expect(summary.isExhaustive)
      return seen.enter { $0 }
    }

    private func compare(_ name: String, _ threads: Thread...) throws { try compare(name, threads) }

    private func compare(_ name: String, _ threads: [Thread]) throws {
      let every = EverySchedule()
      let count = every.count
      let all = try outcomes(threads, by: every) { count.preemptions }
      for bound in [0, 1, 2, nil] {
        let expected = all.filter { $0.key <= bound ?? .max }.values.reduce(into: Set()) { $0.formUnion($1) }
        let found = try outcomes(threads, by: ExhaustiveStrategy(preemptions: bound))[0] ?? []
        let limit = bound.map { "at most \($0) preemptions" } ?? "no bound"
        #expect(found.isSuperset(of: expected), "\(name), \(limit): some outcomes are missed")
        #expect(found.isSubset(of: expected), "\(name), \(limit): some outcomes need more preemptions")
        for parts in 2...3 {
          let shared = try (1...parts).reduce(into: Set<String>()) { shared, number in
            let part = ExplorationPart(number: number, count: parts)
            shared.formUnion(
              try outcomes(threads, by: ExhaustiveStrategy(preemptions: bound, part: part))[0] ?? [])
          }
          #expect(shared == expected, "\(name), \(limit): \(parts) parts differ from the whole")
        }
      }
    }

    // MARK: Programs with one peculiarity each

    @Test func updatesThatAreLost() throws {
      let add: Thread = { words in
        words.x.storeRelaxed(words.x.loadRelaxed() + 1)
        return []
      }
      try compare("two updates", add, add)
      try compare("three updates", add, add, add)
    }

    /// After one sequentially consistent load of a word, a later one must not return an older value.
    @Test func sequentiallyConsistentLoadsOfOneWord() throws {
      try compare(
        "loads",
        { [UInt64($0.x.loadSequentiallyConsistent())] },
        { [UInt64($0.y.loadRelaxed()), UInt64($0.x.loadSequentiallyConsistent())] },
        { words in
          words.x.storeRelaxed(1)
          words.y.storeRelaxed(1)
          return []
        })
    }

    @Test func aSleepThatIsWokenOrTimesOut() throws {
      try compare(
        "a sleep",
        { words in
          words.x.storeRelaxed(1)
          return [UInt64(words.x.wake(count: 1)), UInt64(words.y.loadRelaxed())]
        },
        { words in
          let outcome = words.wait(while: 0)
          words.y.storeRelaxed(1)
          return [outcome]
        })
    }

    @Test func sleepsThatTimeOutInARow() throws {
      try compare(
        "two sleeps",
        { words in
          let read = UInt64(words.y.loadRelaxed())
          words.x.storeRelaxed(1)
          return [read, UInt64(words.x.wake(count: 1))]
        },
        { words in
          let outcomes = [words.wait(while: 0), words.wait(while: 0)]
          words.y.storeRelaxed(1)
          return outcomes
        })
    }

    @Test func aWakeUpWithoutAStore() throws {
      try compare(
        "a wake-up", { [UInt64($0.x.wake(count: 1))] }, { [$0.wait(while: 0), $0.wait(while: 0)] })
    }

    /// The thread for whose store to `x` others spin.
    private static let storer: Thread = { words in
      words.y.storeRelaxed(1)
      words.x.storeRelaxed(1)
      return [UInt64(words.y.loadRelaxed())]
    }

    @Test func aThreadThatSpins() throws {
      try compare(
        "a spin", Self.storer,
        { words in
          while words.x.loadRelaxed() == 0 { Backoff.yieldUntilChange() }
          words.y.storeRelaxed(words.y.loadRelaxed() + 1)
          return []
        })
    }

    @Test func aThreadThatSpinsUntilADeadline() throws {
      let spinner: Thread = { words in
        let outcome = words.poll(while: 0)
        if outcome == 31 { words.y.storeRelaxed(words.y.loadRelaxed() + 1) }
        return [outcome, UInt64(words.y.loadRelaxed())]
      }
      try compare("a spin with a deadline", Self.storer, spinner)
      try compare("a look at the clock", { [$0.deadline.hasPassed ? 1 : 0] }, spinner)
      try compare("a sleep beside a spin", { [UInt64($0.x.wake(count: 1)), $0.wait(while: 0)] }, spinner)
    }

    @Test func aLockWithATimeout() throws {
      try compare(
        "a lock",
        { words in
          words.lock.withLock { words.x.storeRelaxed(words.x.loadRelaxed() + 1) }
          return []
        },
        { words in
          [timesOut { try words.lock.withLock(timeout: .seconds(1)) { words.x.storeRelaxed(5) } } ? 0 : 1]
        })
    }

    // MARK: Programs drawn at random

    private static func operation(_ random: inout SplitMix64, polls: Bool) -> @Sendable (Words) -> UInt64 {
      let onX = Bool.random(using: &random)
      let value = UInt64.random(in: 1...2, using: &random)
      let orderings = [MemoryOrdering.relaxed, .acquiringAndReleasing, .sequentiallyConsistent]
      let ordering = orderings.randomElement(using: &random)!
      switch Int.random(in: 0..<(polls ? 14 : 11), using: &random) {
      case 0..<3: return { $0.perform(.load, onX: onX, ordering) }
      case 3..<5: return { $0.perform(.store, onX: onX, ordering, operand: value) }
      case 5: return { $0.perform(.add, onX: onX, ordering, operand: value) }
      case 6: return { $0.perform(.compareExchange, onX: onX, ordering, operand: 2, expected: value - 1) }
      case 7: return { $0.perform(.fence, onX: onX, ordering) }
      case 8..<10: return { $0.wait(onX: onX, while: UInt32(value - 1)) }
      case 11...: return { $0.poll(onX: onX, while: UInt32(value - 1)) }
      default: return { UInt64(onX ? $0.x.wake(count: 1) : $0.y.wake(count: 1)) }
      }
    }

    @Test(arguments: [
      ([3, 3], false), ([2, 2, 1], false), ([1, 2, 2], false), ([2, 2], true), ([1, 1, 1], true),
    ])
    func programsDrawnAtRandom(lengths: [Int], polls: Bool) throws {
      for seed in 1...50 as ClosedRange<UInt64> {
        var random = SplitMix64(state: seed)
        let threads = lengths.map { length -> Thread in
          let operations = (0..<length).map { _ in Self.operation(&random, polls: polls) }
          return { words in operations.map { $0(words) } }
        }
        try compare("program \(seed) of \(lengths)", threads)
      }
    }

    // MARK: Sections as one step

    private static func section(_ random: inout SplitMix64) -> @Sendable (Words) -> UInt64 {
      let onX = Bool.random(using: &random)
      let value = UInt64.random(in: 1...2, using: &random)
      let kind = [ExploredOperation.Kind.load, .store, .add].randomElement(using: &random)!
      let body: @Sendable (Words) -> UInt64 = { $0.perform(kind, onX: onX, .relaxed, operand: value) }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return body
      case 1...2: return { words in words.lock.withLockIfAvailable { body(words) } ?? 20 }
      case 3:
        return { words in
          unlessTimedOut { try words.lock.withLock(timeout: .seconds(1)) { body(words) } } ?? 21
        }
      default: return { words in words.lock.withLock { body(words) } }
      }
    }

    /// Searches with undivided sections must find each outcome that a search finds whose threads contend for
    /// the lock.
    @Test(arguments: [([1, 1], 20, nil), ([2, 1], 20, 1), ([1, 1, 1], 3, 1)])
    func sectionsDrawnAtRandom(lengths: [Int], programs: UInt64, bound: Int?) throws {
      for seed in 1...programs {
        var random = SplitMix64(state: seed)
        let threads = lengths.map { length -> Thread in
          let sections = (0..<length).map { _ in Self.section(&random) }
          return { words in sections.map { $0(words) } }
        }
        let name = "program \(seed) of \(lengths)"
        let divided =
          try outcomes(
            threads, by: ExhaustiveStrategy(preemptions: bound), dividesLocks: true)[0] ?? []
        let found = try outcomes(threads, by: ExhaustiveStrategy(preemptions: nil))[0] ?? []
        #expect(found.isSuperset(of: divided), "\(name): some outcomes are missed")
        if bound == nil { #expect(found == divided, "\(name): some outcomes are made up") }
        if let bound {
          let within = try outcomes(threads, by: ExhaustiveStrategy(preemptions: bound))[0] ?? []
          #expect(within.isSuperset(of: divided), "\(name): some outcomes need more preemptions")
        }
      }
    }

    @Test func sectionsOfALockWithoutADeadline() throws {
      let add: Thread = { words in
        words.lock.withLock { words.x.storeRelaxed(1) }
        return []
      }
      let see: Thread = { words in [words.lock.withLockIfAvailable { UInt64(words.x.loadRelaxed()) } ?? 9] }
      try compare("a section and an attempt", add, see)
      try compare("two sections", add, add)
    }

    /// Each order of the sections is tried: 3! = 6, 6! / (3! · 3!) = 20 and 4! = 24.
    @Test(arguments: [(3, 1, 6), (2, 3, 20), (4, 1, 24)])
    func eachOrderOfSectionsIsTriedOnce(threads: Int, sections: Int, orders: Int) throws {
      let seen = Monitor<Set<[Int]>>([])
      let summary = try explore(.exhaustive(), limits: ExplorationLimits(duration: .seconds(1_200))) { run in
        let order = ExclusiveProtector<[Int]>([])
        let others = (0..<threads).map { number in
          run.thread { for _ in 0..<sections { order.withLock { $0.append(number) } } }
        }
        for other in others { other.join() }
        let tried = order.withLock { $0 }
        seen.enter { _ = $0.insert(tried) }
      }
      print("explored \(threads) threads, \(sections) sections: \(summary)")
      #expect(summary.isExhaustive)
      #expect(seen.enter { $0.count } == orders)
      #expect(summary.executions - summary.redundantExecutions == orders)
    }

    /// A search with a bound must try random executions and few preemptions first.
    ///
    /// An `ExhaustiveStrategy` for two preemptions tries thousands of schedules before the first one that
    /// loses the update.
    @Test func fewPreemptionsAndRandomSchedulesComeFirst() throws {
      let body: @Sendable (Execution) -> Void = { run in
        let words = Words()
        let add: @Sendable () -> Void = {
          // An addition reads the latest value, so the update is lost only by a preemption.
          words.x.storeRelaxed(words.x.addReleasing(0) + 1)
          for _ in 0..<12 { words.lock.withLock {} }
        }
        let threads = (0..<3).map { _ in run.thread(add) }
        for thread in threads { thread.join() }
        run.expect(words.x.loadRelaxed() == 3, "an update was lost")
      }
      var limits = ExplorationLimits(executions: 2_000, namesLines: false, acceptsUnfinishedSearch: true)
      limits.dividesLocks = true
      let alone = try explore(by: ExhaustiveStrategy(preemptions: 2), limits: limits, body)
      #expect(alone.reachedLimit)
      #expect(try explore(.exhaustive(), limits: limits, body).reachedLimit)
      for (strategy, count) in [(.exhaustive(preemptions: 2), 300), (.automatic, 1_200)]
        as [(ExplorationStrategy, Int)]
      {
        let failure = try failure(strategy, limits: limits, body)
        #expect(failure.executions <= count)
      }
    }
  }
#endif
