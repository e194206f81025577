#if Exploration
  internal import PlatformLocks
  internal import Runtime
  internal import ThreadRecords
  internal import ThreadSupport

  /// How the schedules of an exploration are chosen.
  public enum ExplorationStrategy: Sendable {
    /// Every schedule, but those that differ only in the order of steps which don't concern each other.
    ///
    /// - Parameter preemptions: The most preemptions of an execution: how often a thread that could go on has
    ///   to wait. `nil` is no bound. Most bugs need one or two. With a bound, more executions may be needed
    ///   than without.
    case exhaustive(preemptions: Int? = nil)
    /// So many executions, in which each step is that of a random thread.
    case random(executions: Int, seed: UInt64 = 1)
    /// So many executions, in which the thread with the highest random priority runs, and priorities change
    /// `depth` − 1 times.
    ///
    /// With *n* threads and *k* steps, each execution finds a bug that needs *depth* orderings with a
    /// probability of at least 1 / (*n* · *k*^(*depth* − 1)).
    case priorities(executions: Int, depth: Int = 3, seed: UInt64 = 1)
    /// One execution again: the text that an `ExplorationFailure` has as `replay`.
    case replay(String)
  }

  /// Where an exploration ends that has found nothing.
  public struct ExplorationLimits: Sendable {
    /// The most executions.
    public var executions: Int
    /// The most steps of one execution; more are a failure.
    public var steps: Int
    /// The longest time; it is looked at between executions.
    public var duration: Duration
    /// Whether a failure names the lines of its steps.
    ///
    /// In a large program it takes seconds to find them.
    public var namesLines: Bool

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - executions: The most executions.
    ///   - steps: The most steps of one execution.
    ///   - duration: The longest time.
    ///   - namesLines: Whether a failure names the lines of its steps.
    public init(
      executions: Int = .max, steps: Int = 10_000, duration: Duration = .seconds(60), namesLines: Bool = true
    ) {
      self.executions = executions
      self.steps = steps
      self.duration = duration
      self.namesLines = namesLines
    }
  }

  /// The result of an exploration that has found no failure.
  public struct ExplorationSummary: Sendable, CustomStringConvertible {
    /// How often the body ran.
    public let executions: Int
    /// How many of these executions were cut short in the search, because another one stood for them.
    public let redundantExecutions: Int
    /// How many steps the longest execution had.
    public let longestExecution: Int
    /// How long it took.
    public let duration: Duration
    /// Whether every schedule was tried.
    ///
    /// `false` when a limit ended the search, or for a strategy that tries some.
    public let isExhaustive: Bool

    /// The result in one line.
    public var description: String {
      let seconds = duration / .seconds(1)
      let rate = Int(Double(executions) / max(seconds, 0.000_001))
      return
        "\(executions) executions (\(redundantExecutions) redundant), at most \(longestExecution) steps, "
        + "\(duration.formattedSeconds) s, \(rate) executions/s, \(isExhaustive ? "exhaustive" : "not exhaustive")"
    }
  }

  extension Duration {
    fileprivate var formattedSeconds: String {
      let milliseconds = Int(self / .milliseconds(1))
      let fraction = String(milliseconds % 1000)
      return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
  }

  /// Runs `body` again and again, each time with another schedule of its threads, until all were tried or one
  /// fails.
  ///
  /// ```swift
  /// try explore { run in
  ///   let cell = OnceCell<Int>()
  ///   let one = run.thread { cell.value { 1 } }
  ///   let two = run.thread { cell.value { 2 } }
  ///   run.expect(one.join() == two.join(), "both threads see one value")
  /// }
  /// ```
  ///
  /// The threads are real, and one of them runs at a time. At each operation of a primitive of this package,
  /// the exploration decides which thread goes on, and which of the values that the memory model permits a
  /// load returns. Found are: deadlocks, wake-ups that are lost, threads that spin for ever, traps of this
  /// package, races on an `ExploredCell`, expectations that don't hold, and objects that are not freed.
  ///
  /// The body makes all that it shares anew. Its threads synchronise by primitives of this package alone:
  /// what else makes them wait (a semaphore, a queue, a task, the file system) blocks the exploration. The
  /// same choices have to lead to the same steps, so the body uses no clock and no random numbers of its own.
  ///
  /// - **Blocking**: until the exploration has ended, and before that while another thread explores. Threads
  ///   of a failed execution that wait for ever are left behind.
  /// - **Not modelled**: load buffering, and stores that are overtaken by later stores to the same word.
  ///   `PosixReadWriteLock`, `DispatchReadWriteLock` and `QueueProperty` synchronise by the system's own
  ///   means, which are not explored.
  ///
  /// - Parameters:
  ///   - strategy: How schedules are chosen.
  ///   - limits: Where the exploration ends that has found nothing.
  ///   - body: What to run; its threads are those that it starts with `Execution.thread(_:)`, and the one
  ///   that runs it.
  /// - Returns: What was done.
  /// - Throws: An `ExplorationFailure` with the shortest failing execution found. An error that `body` throws
  ///   is one, too.
  /// - Complexity: For *n* steps that depend on each other, the number of their orders, which grows
  ///   exponentially.
  @discardableResult
  public func explore(
    _ strategy: ExplorationStrategy = .exhaustive(), limits: ExplorationLimits = ExplorationLimits(),
    _ body: @escaping @Sendable (Execution) throws -> Void
  ) throws(ExplorationFailure) -> ExplorationSummary {
    // Executions share the table of slots and other state of the process.
    isExploring.enter(when: { !$0 }) { $0 = true }
    defer { isExploring.enter { $0 = false } }
    let exploration = Exploration(limits: limits, body)
    return try exploration.run(strategy)
  }

  private let isExploring = Monitor(false)

  /// Runs executions, and finds a short one when one has failed.
  private final class Exploration {
    private let limits: ExplorationLimits
    private let body: @Sendable (Execution) throws -> Void
    private var pool = ThreadPool()

    init(limits: ExplorationLimits, _ body: @escaping @Sendable (Execution) throws -> Void) {
      self.limits = limits
      self.body = body
    }

    deinit { pool.end() }

    func run(_ strategy: ExplorationStrategy) throws(ExplorationFailure) -> ExplorationSummary {
      let search = Search(strategy.make(), limits)
      guard var shortest = search.run(execute) else { return search.summary }
      if case .replay = strategy {
        // It is asked for as it is.
      } else if let shorter = findShorter() {
        shortest = shorter
      }
      // Once more, with the places in the code.
      var replay: any Strategy = ReplayStrategy(shortest.choices)
      _ = replay.begin()
      let replayed = execute(replay, limits.steps, limits.namesLines ? .capture() : nil)
      let isSame = replayed.failure != nil
      throw ExplorationFailure(
        isSame ? replayed : shortest, executions: search.summary.executions, isReproduced: isSame)
    }

    /// Looks for a failure that needs no preemption, then one, then two: it is easier to follow.
    private func findShorter() -> Scheduler? {
      let limits = ExplorationLimits(executions: 5_000, steps: limits.steps, duration: .seconds(3))
      for bound in 0...2 {
        if let failed = Search(ExhaustiveStrategy(preemptions: bound), limits).run(execute) { return failed }
      }
      return nil
    }

    private func execute(_ strategy: any Strategy, _ steps: Int, _ images: ImageMap?) -> Scheduler {
      SlotTable.resetForExploration()
      let scheduler = Scheduler(strategy, on: pool, stepLimit: steps, images: images)
      let body = body
      scheduler.run {
        let execution = Execution(scheduler)
        do {
          try body(execution)
        } catch {
          execution.expect(false, "the body threw \(error)")
        }
      }
      // Its threads wait for ever, so the next execution gets others.
      if scheduler.isAbandoned { pool = ThreadPool() }
      return scheduler
    }
  }

  /// Executions by one strategy, until one fails or nothing is left.
  private final class Search {
    private var strategy: any Strategy
    private let limits: ExplorationLimits
    private var executions = 0
    private var redundant = 0
    private var longest = 0
    private let start = ContinuousClock.now

    init(_ strategy: any Strategy, _ limits: ExplorationLimits) {
      self.strategy = strategy
      self.limits = limits
    }

    var summary: ExplorationSummary {
      ExplorationSummary(
        executions: executions, redundantExecutions: redundant, longestExecution: longest,
        duration: ContinuousClock.now - start, isExhaustive: strategy.isExhaustive)
    }

    func run(_ execute: (any Strategy, Int, ImageMap?) -> Scheduler) -> Scheduler? {
      while strategy.begin() {
        let scheduler = execute(strategy, limits.steps, nil)
        strategy = scheduler.strategy
        executions += 1
        if scheduler.isRedundant { redundant += 1 }
        longest = max(longest, scheduler.trace.count)
        if scheduler.failure != nil { return scheduler }
        if executions >= limits.executions || ContinuousClock.now - start > limits.duration { break }
      }
      return nil
    }
  }

  extension ExplorationStrategy {
    fileprivate func make() -> any Strategy {
      switch self {
      case .exhaustive(let preemptions):
        return ExhaustiveStrategy(preemptions: preemptions)
      case .random(let executions, let seed):
        return RandomStrategy(executions: executions, seed: seed)
      case .priorities(let executions, let depth, let seed):
        return PriorityStrategy(executions: executions, depth: depth, seed: seed)
      case .replay(let text):
        guard let choices = Replay.choices(text) else {
          misuse("explore", "given a replay that none of its failures has", "pass the text of `replay` whole")
        }
        return ReplayStrategy(choices)
      }
    }
  }
#else
  /// Runs `body` under every schedule of its threads.
  ///
  /// It needs the trait `Exploration` of the package.
  @available(*, unavailable, message: "enable the trait Exploration of swift-interlock to explore")
  public func explore(_ body: () -> Void) {}
#endif
