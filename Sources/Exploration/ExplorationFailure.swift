#if Exploration
  /// An execution that failed: what happened, step by step; or a search that a limit ended.
  public struct ExplorationFailure: Error, CustomStringConvertible {
    enum Kind: Equatable {
      case deadlock
      case livelock
      case tooLong(steps: Int)
      case trap(String)
      case expectation(String)
      /// The indices of two steps whose accesses to a cell race with each other.
      case race(Int, Int)
      case notDeterministic
      /// No two threads used the same primitive of this package or the same `ExploredCell`, in any execution.
      case nothingShared
      /// A thread waits for something that the explorer does not control, for example a semaphore.
      case blocked
    }

    /// The mistake, in one sentence.
    public let reason: String
    /// The steps of the execution, one text each; empty if a limit ended the search.
    ///
    /// Unlike `description`, this list contains each step inside a call of this package.
    public let steps: [String]
    /// The lines of `description` that show the execution: one for each call of a function of this package.
    let calls: [String]
    /// The text that runs the same execution again: `explore(.replay(text)) { … }`; empty without an execution.
    public let replay: String
    /// The number of executions until the failure was found, including the one that failed.
    public let executions: Int

    init(_ execution: Scheduler, executions: Int, isReproduced: Bool) {
      let threads = execution.threads
      let places = SourceLines.find(execution.trace, execution.images)
      let names = ValueNames(execution.trace, threads)
      let report = Report(execution.trace, execution.notes, places, names)
      let blocked = execution.running.map { thread in
        let last = execution.trace.lastIndex { $0.thread == thread.id }
        let line = last.flatMap { places[$0]?.line }
        return "T\(thread.id)" + (line.map { ", after its step at \($0)," } ?? "")
      }
      reason =
        Self.reason(execution.failure!, threads, report, blocked: blocked ?? "a thread")
        + (isReproduced
          ? "" : " (It did not happen again: the body depends on something else than its schedule.)")
      var last: Place?
      steps = zip(execution.trace, places).enumerated().map { index, step in
        let (step, place) = step
        defer { last = place }
        let line = Step.head(index, step.thread) + step.text(names)
        guard let place, place.text != last?.text else { return line }
        return "\(line)\n            at \(place.text)"
      }
      calls = report.text
      replay = Replay.text(execution.choices)
      self.executions = executions
    }

    /// A search that a limit ended without a failure.
    init(unfinished summary: ExplorationSummary, triedPreemptions: Int?) {
      let tried = triedPreemptions.map { "Every schedule with at most \($0) preemptions was tried. " } ?? ""
      reason = """
        Unfinished: a limit ended the search, which has found nothing: \(summary). \(tried)Explore a smaller body, raise \
        the limit, choose a strategy that tries less, or let ExplorationLimits.acceptsUnfinishedSearch be true.
        """
      steps = []
      calls = []
      replay = ""
      executions = summary.executions
    }

    private static func reason(
      _ kind: Kind, _ threads: [ExecutionThread], _ report: Report, blocked: String
    ) -> String {
      switch kind {
      case .deadlock:
        let waiting = threads.filter { !$0.isAtRest || $0.mustEnd }.map { thread in
          switch thread.pending {
          case .suspended:
            "T\(thread.id) \(report.wait(of: thread.id) ?? "is suspended and nobody will resume it")"
          case .job, .enter, .leave: waitOfTask(thread, threads)
          case .mutex: "T\(thread.id) \(waitForMutex(threads))"
          case .join(let other): "T\(thread.id) waits for the end of T\(other)"
          case .sleeping: "T\(thread.id) \(report.wait(of: thread.id) ?? "sleeps and nobody will wake it")"
          default: "T\(thread.id) can't go on"
          }
        }
        return "Deadlock: \(waiting.joined(separator: "; "))."
      case .livelock: return "Livelock: all threads that are left spin forever."
      case .tooLong(let steps): return "No end: the execution has made \(steps) steps."
      case .trap(let sentence): return "Trap: \(sentence)."
      case .expectation(let message): return "Expectation: \(message)."
      case .race(let step, let other):
        return "Data race: step \(step) and step \(other) access the same cell, and nothing orders them."
      case .blocked: return "Blocked: \(blocked) waits for something that the explorer does not control."
      case .nothingShared:
        return "Nothing explored: no thread used a primitive or an ExploredCell that another thread used too."
      case .notDeterministic:
        return "Not deterministic: the same choices led to other steps; the body depends on something else."
      }
    }

    /// The clause about a thread that waits for a mutex, in the report of a deadlock.
    private static func waitForMutex(_ threads: [ExecutionThread]) -> String {
      guard let cancelling = threads.first(where: { $0.undivided > 0 }) else {
        return "waits for a mutex of the runtime or of the program"
      }
      return "waits for the end of the cancellation by T\(cancelling.id)"
    }

    /// The clause about a waiting task in the report of a deadlock: the task waits for an actor, or for a
    /// thread of the pool.
    ///
    /// - Parameters:
    ///   - thread: The task's thread, which is about to run a job, or to enter or leave an actor.
    ///   - threads: All threads of the execution. If one of them runs on that actor, the text names it.
    private static func waitOfTask(_ thread: ExecutionThread, _ threads: [ExecutionThread]) -> String {
      var actor: UInt = 0
      if case .enter(let entered) = thread.pending { actor = entered }
      if case .job = thread.pending { actor = thread.jobs[0].actor }
      guard actor != 0, let owner = threads.first(where: { $0.actor == actor }) else {
        return "T\(thread.id) finds no free thread in the pool"
      }
      return "T\(thread.id) waits for an actor on which T\(owner.id) runs"
    }

    /// The report as text: the reason, the lines of the execution, and the call of `explore` that repeats it.
    public var description: String {
      if steps.isEmpty { return reason }
      return """
        \(reason)
        Found after \(executions.executions). The shortest one found has \(steps.count) steps; T0 runs the body:
        \(calls.joined(separator: "\n"))
        To run it again: explore(.replay("\(replay)"))
        """
    }
  }
#endif
