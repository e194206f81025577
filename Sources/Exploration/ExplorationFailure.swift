#if Exploration
  internal import Runtime

  /// An execution that failed: what happened, step by step.
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
      /// A thread blocks outside of the explorer's control.
      case blocked
    }

    /// The mistake, in one sentence.
    public let reason: String
    /// The steps of the execution, each in one line.
    public let steps: [String]
    /// The text that runs the same execution again: `explore(.replay(text)) { … }`.
    public let replay: String
    /// How many executions ran before the failure was found.
    public let executions: Int

    init(_ execution: Scheduler, executions: Int, isReproduced: Bool) {
      let threads = execution.threads
      reason =
        Self.reason(execution.failure!, threads)
        + (isReproduced
          ? "" : " (It did not happen again: the body depends on something else than its schedule.)")
      var lastPlace = ""
      var places: [String: String] = [:]
      steps = execution.trace.enumerated().map { index, step in
        var place = ""
        if let stack = step.stack, let images = execution.images {
          // Finding the source lines of a stack is slow, so they are cached for later steps with the same
          // stack.
          let key = stack.frames.map { "\($0)" }.joined()
          place = places[key] ?? SourceLines.lines(of: stack, images).joined(separator: " ← ")
          places[key] = place
        }
        defer { lastPlace = place }
        let number = String(index)
        let line =
          String(repeating: " ", count: max(0, 4 - number.count)) + "\(number)  T\(step.thread)  \(step.text)"
        return place.isEmpty || place == lastPlace ? line : "\(line)\n            at \(place)"
      }
      replay = Replay.text(execution.choices)
      self.executions = executions
    }

    private static func reason(_ kind: Kind, _ threads: [ExecutionThread]) -> String {
      switch kind {
      case .deadlock:
        let waiting = threads.filter { !$0.isAtRest || $0.mustEnd }.map { thread in
          switch thread.pending {
          case .suspended: "T\(thread.id) is suspended and nobody will resume it"
          case .job, .enter, .leave: waitOfTask(thread, threads)
          case .join(let other): "T\(thread.id) waits for the end of T\(other)"
          case .sleeping: "T\(thread.id) sleeps and nobody will wake it"
          default: "T\(thread.id) can't go on"
          }
        }
        return "Deadlock: \(waiting.joined(separator: "; "))."
      case .livelock: return "Livelock: all threads that are left spin for ever."
      case .tooLong(let steps): return "No end: the execution has made \(steps) steps."
      case .trap(let sentence): return "Trap: \(sentence)."
      case .expectation(let message): return "Expectation: \(message)."
      case .race(let step, let other):
        return "Data race: step \(step) and step \(other) access the same cell, and nothing orders them."
      case .blocked: return "Blocked: a thread waits for something that the explorer does not control."
      case .notDeterministic:
        return "Not deterministic: the same choices led to other steps; the body depends on something else."
      }
    }

    /// What a task waits for that could run.
    private static func waitOfTask(_ thread: ExecutionThread, _ threads: [ExecutionThread]) -> String {
      var actor: UInt = 0
      if case .enter(let entered) = thread.pending { actor = entered }
      if case .job = thread.pending { actor = thread.jobs[0].actor }
      guard actor != 0, let owner = threads.first(where: { $0.actor == actor }) else {
        return "T\(thread.id) finds no free thread in the pool"
      }
      return "T\(thread.id) waits for an actor on which T\(owner.id) runs"
    }

    /// A text with the reason, the steps, and the call of `explore` that repeats the execution.
    public var description: String {
      """
      \(reason)
      Found after \(executions.executions). The shortest one found has \(steps.count) steps; T0 runs the body:
      \(steps.joined(separator: "\n"))
      To run it again: explore(.replay("\(replay)"))
      """
    }
  }
#endif
