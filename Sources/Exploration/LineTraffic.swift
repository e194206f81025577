#if Exploration
  internal import CExploration
  internal import InterlockCore

  /// Counts how often lines of memory would travel if each thread of an execution had a processor of its own.
  ///
  /// # Model
  /// A line has 64 bytes. It is *modified* in the cache of one processor, or *shared* by a set of them (the protocol MSI).
  /// - A load by a processor that doesn't have the line is one transfer; the processor joins the set.
  /// - A store or a read-modify-write by a processor that has not modified the line last is one transfer, and an
  ///   invalidation for each other processor that has it. A compare-exchange that fails counts as one that succeeds.
  /// - The first access to a line moves none: no processor has it.
  /// - A futex call that puts a thread to sleep loads its word. What the kernel touches is not counted, nor is ordinary
  ///   memory, such as a value, unless it is an `ExploredCell` or an atomic word, or the code reports its use.
  ///
  /// So a count holds for every machine with such caches, whatever a transfer costs there. Caches are never full.
  ///
  /// # Layout
  /// Each object of an explored thread begins a line, so that a count depends on no allocator. Where probes have no size
  /// (`ShippedLayout`), words have the offsets in their object that they have in a program. A program's objects may lie
  /// across lines, and small ones may share one, which no count shows.
  struct LineTraffic {
    static let bytesOfLine: UInt = 64

    private struct Processors {
      private var low: UInt64 = 0
      private var high: UInt64 = 0

      init(_ processor: Int? = nil) {
        if let processor { insert(processor) }
      }

      var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }
      func contains(_ processor: Int) -> Bool {
        (processor < 64 ? low >> processor : high >> (processor - 64)) & 1 != 0
      }
      mutating func insert(_ processor: Int) {
        if processor < 64 { low |= 1 << processor } else { high |= 1 << (processor - 64) }
      }
    }

    private struct Line {
      /// The processors that have the line.
      var sharers = Processors()
      /// Whether the only sharer has written it.
      var isModified = false
      /// The processors that have accessed it since `isCounting`, and whether one of them has written it.
      var users = Processors()
      var isWritten = false

      var hasConflict: Bool { isWritten && users.count > 1 }
    }

    private struct Caller {
      var finishedCalls = 0
      var isCounted = false
      var call = CallCosts.Call()
      /// The counts of the part of the call that `countOnly` has marked; `nil` if the whole call counts.
      var part: CallCosts.Call?
    }

    private var lines: [UInt: Line] = [:]
    private var callers: [Int: Caller] = [:]
    private let warmUp: Int
    private(set) var isCounting = false
    private(set) var calls: [CallCosts.Call] = []
    private var hasForgottenConflict = false
    /// The thread whose call has just ended; `nil` if it has made a step since.
    var endedCall: Int?

    init(callers numbers: Range<Int>, warmUp: Int) {
      for number in numbers { callers[number] = Caller() }
      self.warmUp = warmUp
    }

    mutating func access(_ address: UInt, writes: Bool, by processor: Int) {
      var line = lines[address / Self.bytesOfLine] ?? Line()
      let isSharer = line.sharers.contains(processor)
      let others = line.sharers.count - (isSharer ? 1 : 0)
      if !isSharer && others > 0 || writes && !line.isModified && others > 0 {
        callers[processor]?.call.transfers += 1
      }
      if writes {
        callers[processor]?.call.invalidations += others
        line.sharers = Processors(processor)
        line.isModified = true
      } else if !isSharer {
        line.sharers.insert(processor)
        line.isModified = false
      }
      if isCounting {
        line.users.insert(processor)
        line.isWritten = line.isWritten || writes
      }
      lines[address / Self.bytesOfLine] = line
    }

    /// Forgets the lines of a new object, which has nothing to do with what was there before.
    mutating func forgetLines(of object: UInt, size: UInt) {
      for number in object / Self.bytesOfLine...(object + size - 1) / Self.bytesOfLine {
        guard let line = lines.removeValue(forKey: number) else { continue }
        hasForgottenConflict = hasForgottenConflict || line.hasConflict
      }
    }

    mutating func wake(_ count: Int, by processor: Int) { callers[processor]?.call.wakeUps += count }

    mutating func beginCall(of caller: Int) {
      callers[caller]!.call = CallCosts.Call()
      callers[caller]!.part = nil
      callers[caller]!.isCounted = isCounting
    }

    mutating func beginPart(of caller: Int) { callers[caller]!.call = CallCosts.Call() }
    mutating func endPart(of caller: Int) { callers[caller]!.part = callers[caller]!.call }
    mutating func leaveOut(_ caller: Int) { callers[caller]!.isCounted = false }

    mutating func endCall(of caller: Int) {
      endedCall = caller
      callers[caller]!.finishedCalls += 1
      if callers[caller]!.isCounted { calls.append(callers[caller]!.part ?? callers[caller]!.call) }
      if callers.values.allSatisfy({ $0.finishedCalls >= warmUp }) { isCounting = true }
    }

    /// Whether a processor has written a line that another one has accessed, since all have warmed up.
    var hasConflicts: Bool { hasForgottenConflict || lines.values.contains(where: \.hasConflict) }
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
  ///   - threads: The number of threads, at most 64 with the others.
  ///   - others: The number of threads that run beside them, in functions that `beside` has got.
  ///   - order: The order in which they run.
  ///   - make: Makes what the threads share, and returns the call; its argument is the number of the thread.
  package func countLines(
    threads: Int, beside others: Int = 0, order: CallOrder, warmUp: Int = 3, calls: Int = 8,
    _ make: @escaping @Sendable (OtherCallers) -> @Sendable (Int) -> Void
  ) throws(ExplorationFailure) -> CallCosts {
    try countLines(of: threads, others, order, warmUp) { run, beside in
      let call = make(beside)
      let waiting = (0..<others).map { number in run.thread { beside.run?(number) } }
      let running = (0..<threads).map { number in
        run.thread {
          for _ in 0..<warmUp { run.countedCall { call(number) } }
          while !run.countsLines { run.countedCall { call(number) } }
          for _ in 0..<calls { run.countedCall { call(number) } }
        }
      }
      for thread in running { thread.join() }
      beside.end?()
      for thread in waiting { thread.join() }
    }
  }

  /// Counts the lines that travel in calls of several tasks, each on a processor of its own, as for threads.
  package func countLines(
    tasks: Int, beside others: Int = 0, order: CallOrder, warmUp: Int = 3, calls: Int = 8,
    _ make: @escaping @Sendable (OtherCallers) -> @Sendable (Int) async -> Void
  ) throws(ExplorationFailure) -> CallCosts {
    try countLines(of: tasks, others, order, warmUp) { run, beside in
      let call = make(beside)
      let waiting = (0..<others).map { number in run.task { await beside.runAsTask?(number) } }
      let running = (0..<tasks).map { number in
        run.task {
          for _ in 0..<warmUp { await run.countedCall { await call(number) } }
          while !run.countsLines { await run.countedCall { await call(number) } }
          for _ in 0..<calls { await run.countedCall { await call(number) } }
        }
      }
      for task in running { task.join() }
      beside.end?()
      for task in waiting { task.join() }
    }
  }

  /// What threads or tasks do beside those that `countLines` counts, for instance wait.
  // `@unchecked Sendable` is sound: set before threads or tasks start that use it.
  package final class OtherCallers: @unchecked Sendable {
    /// Runs on each other thread; its argument is the number of the thread.
    package var run: (@Sendable (Int) -> Void)?
    package var runAsTask: (@Sendable (Int) async -> Void)?
    /// Makes the others return, after the last call.
    package var end: (@Sendable () -> Void)?
  }

  /// From its first use on, each object of an explored thread begins a line, also in explorations that count none.
  private let alignedObjects: Void = interlock_align_objects { object, size in
    let thread = ExploredThreads.current as! ExecutionThread
    thread.scheduler.traffic?.forgetLines(of: object, size: UInt(size))
  }

  private func countLines(
    of callers: Int, _ others: Int, _ order: CallOrder, _ warmUp: Int,
    _ body: @escaping @Sendable (Execution, OtherCallers) -> Void
  ) throws(ExplorationFailure) -> CallCosts {
    let costs = ResultBox<CallCosts>()
    var limits = ExplorationLimits(steps: 10_000_000, oldReads: 0, namesLines: false)
    limits.dividesLocks = true
    limits.usesWholeTables = true
    _ = alignedObjects
    _ = try explore(by: CallStrategy(order), limits: limits) { run in
      run.scheduler.running!.inExplorer {
        run.scheduler.traffic = LineTraffic(callers: others + 1..<others + callers + 1, warmUp: warmUp)
      }
      body(run, OtherCallers())
      costs.value = run.costsOfCalls
    }
    return costs.value!
  }

  /// Counts, of a call of `countLines`, what `body` does, and nothing else.
  package func countOnly<R>(_ body: () -> R) -> R {
    beginCount()
    defer { endCount() }
    return body()
  }

  /// Counts nothing of what the calling thread or task has done before in its call.
  package func beginCount() { changeTraffic { $0.beginPart(of: $1) } }

  /// Counts nothing of what the calling thread or task will do in its call, after `beginCount`.
  package func endCount() { changeTraffic { $0.endPart(of: $1) } }

  /// Counts nothing of the calling thread's call.
  package func leaveOut() { changeTraffic { $0.leaveOut($1) } }

  private func changeTraffic(_ change: (inout LineTraffic, _ thread: Int) -> Void) {
    let thread = ExploredThreads.current as! ExecutionThread
    // Allocations of an explored thread change the traffic themselves.
    thread.inExplorer { change(&thread.scheduler.traffic!, thread.id) }
  }

  extension Execution {
    fileprivate var countsLines: Bool { scheduler.traffic!.isCounting }

    fileprivate var costsOfCalls: CallCosts {
      CallCosts(calls: scheduler.traffic!.calls, isConflictFree: !scheduler.traffic!.hasConflicts)
    }

    fileprivate func countedCall(_ body: () -> Void) {
      changeTraffic { $0.beginCall(of: $1) }
      body()
      changeTraffic { $0.endCall(of: $1) }
    }

    fileprivate func countedCall(_ body: () async -> Void) async {
      changeTraffic { $0.beginCall(of: $1) }
      await body()
      changeTraffic { $0.endCall(of: $1) }
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
