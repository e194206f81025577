#if Exploration
  internal import InterlockCore

  /// Counts how often lines of memory would travel if each thread of an execution had a processor of its own.
  ///
  /// # Model
  /// A line has 64 bytes. It is *modified* in the cache of one processor, or *shared* by a set of them (the protocol MSI).
  /// - A load by a processor that doesn't have the line is one transfer; the processor joins the set.
  /// - A store or a read-modify-write by a processor that has not modified the line last is one transfer, and an
  ///   invalidation for each other processor that has it. A compare-exchange that fails counts as one that succeeds.
  /// - A futex call that puts a thread to sleep loads its word. What the kernel touches is not counted, nor is ordinary
  ///   memory, such as a value, unless it is an `ExploredCell` or an atomic word.
  ///
  /// So a count holds for every machine with such caches, whatever a transfer costs there. Caches are never full.
  struct LineTraffic {
    static let bytesOfLine: UInt = 64

    private struct Line {
      /// The processors that have the line, one bit each.
      var sharers: UInt64 = 0
      /// Whether the only sharer has written it.
      var isModified = false
      /// The processors that have written and accessed it since `isCounting`.
      var writers: UInt64 = 0
      var users: UInt64 = 0
    }

    private struct Processor {
      var finishedCalls = 0
      var isCounted = false
      var call = CallCosts.Call()
      /// The counts of the part of the call that `countOnly` has marked; `nil` if the whole call counts.
      var part: CallCosts.Call?
    }

    private var lines: [UInt: Line] = [:]
    private var processors: [Int: Processor] = [:]
    private let warmUp: Int
    private(set) var isCounting = false
    private(set) var calls: [CallCosts.Call] = []
    /// The processor whose call has just ended; `nil` if its thread has made a step since.
    var endedCall: Int?

    init(processors numbers: Range<Int>, warmUp: Int) {
      for number in numbers { processors[number] = Processor() }
      self.warmUp = warmUp
    }

    mutating func access(_ address: UInt, writes: Bool, by processor: Int) {
      let bit: UInt64 = 1 << UInt64(processor)
      var line = lines[address / Self.bytesOfLine] ?? Line()
      let isOwner = line.isModified && line.sharers == bit
      if writes, !isOwner {
        processors[processor]?.call.transfers += 1
        processors[processor]?.call.invalidations += (line.sharers & ~bit).nonzeroBitCount
        line.sharers = bit
        line.isModified = true
      } else if line.sharers & bit == 0 {
        processors[processor]?.call.transfers += 1
        line.sharers |= bit
        line.isModified = false
      }
      if isCounting {
        line.users |= bit
        if writes { line.writers |= bit }
      }
      lines[address / Self.bytesOfLine] = line
    }

    mutating func wake(_ count: Int, by processor: Int) { processors[processor]?.call.wakeUps += count }

    mutating func beginCall(of processor: Int) {
      processors[processor]!.call = CallCosts.Call()
      processors[processor]!.part = nil
      processors[processor]!.isCounted = isCounting
    }

    mutating func beginPart(of processor: Int) { processors[processor]!.call = CallCosts.Call() }
    mutating func endPart(of processor: Int) { processors[processor]!.part = processors[processor]!.call }

    mutating func endCall(of processor: Int) {
      endedCall = processor
      processors[processor]!.finishedCalls += 1
      if processors[processor]!.isCounted {
        calls.append(processors[processor]!.part ?? processors[processor]!.call)
      }
      if processors.values.allSatisfy({ $0.finishedCalls >= warmUp }) { isCounting = true }
    }

    /// Whether a processor has written a line that another one has accessed, since all have warmed up.
    var hasConflicts: Bool {
      lines.values.contains { line in
        line.writers.nonzeroBitCount > 1 || line.writers != 0 && line.users & ~line.writers != 0
      }
    }
  }

  /// What calls of one kind cost in the steady state of an execution.
  package struct CallCosts: Sendable, CustomStringConvertible {
    package struct Call: Sendable {
      package var transfers = 0
      package var invalidations = 0
      package var wakeUps = 0
    }

    package let calls: [Call]
    /// Whether no line that one processor wrote was accessed by another one.
    package let isConflictFree: Bool

    package func most(_ count: KeyPath<Call, Int>) -> Int { calls.map { $0[keyPath: count] }.max() ?? 0 }
    package func total(_ count: KeyPath<Call, Int>) -> Int { calls.reduce(0) { $0 + $1[keyPath: count] } }

    package var description: String {
      "\(calls.count) calls: \(total(\.transfers)) transfers, at most \(most(\.transfers)); \(total(\.invalidations)) "
        + "invalidations, at most \(most(\.invalidations)); \(total(\.wakeUps)) wake-ups, at most \(most(\.wakeUps))"
        + (isConflictFree ? "; conflict-free" : "")
    }
  }

  /// The order in which the threads of `countLines` run.
  package enum CallOrder: Sendable, Hashable {
    /// Each thread makes a call, unless it waits, and then the next thread.
    case roundRobin
    /// Any thread makes the next step.
    case random(seed: UInt64)
  }

  /// Counts the lines that travel in calls of several threads, each on a processor of its own.
  ///
  /// All threads make `warmUp` calls first, and then at least `calls` counted ones.
  ///
  /// - Parameters:
  ///   - threads: The number of threads, at most 63.
  ///   - order: The order in which they run.
  ///   - make: Makes what the threads share, and returns the call; its argument is the number of the thread.
  package func countLines(
    threads: Int, order: CallOrder, warmUp: Int = 3, calls: Int = 8,
    _ make: @escaping @Sendable () -> @Sendable (Int) -> Void
  ) throws(ExplorationFailure) -> CallCosts {
    let costs = ResultBox<CallCosts>()
    var limits = ExplorationLimits(steps: 300_000, duration: .seconds(60), oldReads: 0, namesLines: false)
    limits.dividesLocks = true
    limits.usesWholeTables = true
    _ = try explore(by: CallStrategy(order), limits: limits) { run in
      run.countLines(of: 1..<threads + 1, warmUp: warmUp)
      let call = make()
      let running = (0..<threads).map { number in
        run.thread {
          for _ in 0..<warmUp { run.countedCall { call(number) } }
          while !run.countsLines { run.countedCall { call(number) } }
          for _ in 0..<calls { run.countedCall { call(number) } }
        }
      }
      for thread in running { thread.join() }
      costs.value = run.costsOfCalls
    }
    return costs.value!
  }

  /// Counts, of a call of `countLines`, what `body` does, and nothing else.
  package func countOnly<R>(_ body: () -> R) -> R {
    let thread = ExploredThreads.current as! ExecutionThread
    thread.scheduler.traffic!.beginPart(of: thread.id)
    defer { thread.scheduler.traffic!.endPart(of: thread.id) }
    return body()
  }

  extension Execution {
    fileprivate func countLines(of processors: Range<Int>, warmUp: Int) {
      scheduler.traffic = LineTraffic(processors: processors, warmUp: warmUp)
    }

    fileprivate var countsLines: Bool { scheduler.traffic!.isCounting }

    fileprivate var costsOfCalls: CallCosts {
      CallCosts(calls: scheduler.traffic!.calls, isConflictFree: !scheduler.traffic!.hasConflicts)
    }

    fileprivate func countedCall(_ body: () -> Void) {
      let processor = scheduler.running!.id
      scheduler.traffic!.beginCall(of: processor)
      body()
      scheduler.traffic!.endCall(of: processor)
    }
  }

  private struct CallStrategy: Strategy {
    private let order: CallOrder
    private var random: SplitMix64
    private var isBegun = false

    init(_ order: CallOrder) {
      self.order = order
      if case .random(let seed) = order {
        random = SplitMix64(state: seed)
      } else {
        random = SplitMix64(state: 0)
      }
    }

    mutating func begin() -> Bool {
      defer { isBegun = true }
      return !isBegun
    }

    mutating func chooseThread(_ point: SchedulingPoint) -> Int? {
      if case .random = order { return point.enabled[Int(random.next() % UInt64(point.enabled.count))] }
      if point.canPreempt, point.scheduler.traffic?.endedCall != point.current { return point.current }
      point.scheduler.traffic?.endedCall = nil
      return point.enabled.first { $0 > point.current } ?? point.enabled[0]
    }

    mutating func chooseValue(count: Int) -> Int { 0 }
  }
#endif
