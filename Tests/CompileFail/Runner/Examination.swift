import Foundation
import Synchronization

/// Compiles and runs all files of all cases.
struct Examination {
  let cases: [Case]
  var trials: [Trial]

  init(_ cases: [Case]) {
    self.cases = cases
    trials = cases.flatMap { example in
      let mayHang = if case .hangs = example.expectation { true } else { false }
      let isWarned = if case .warned = example.expectation { true } else { false }
      // A program that must not hang gets a long time limit, because the machine may be busy.
      func trial(_ role: Trial.Role, _ source: SourceFile, mayHang: Bool) -> Trial {
        Trial(
          name: example.name, role: role, source: source, limit: .seconds(mayHang ? 10 : 120),
          countsWarnings: isWarned)
      }
      return [
        trial(.wrong, example.mistake, mayHang: mayHang),
        trial(.fixed, example.mistake, mayHang: false),
      ]
        + Peer.allCases.compactMap { peer in
          example.peers[peer].map { trial(.peer(peer), $0, mayHang: true) }
        }
    }
  }

  /// Compiles all files and runs the programs; returns the problems that left a file without a result.
  ///
  /// An error that the compiler finds in a file is a result, not a problem.
  ///
  /// Compiling uses one thread for each processor. Running uses 16 threads, however few processors there are,
  /// because a hanging program needs no processor.
  mutating func perform(with toolchain: Toolchain) -> [Problem] {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return forEachTrial(threads: processors) { try $0.compile(with: toolchain) }
      + forEachTrial(threads: 16) { try $0.run(with: toolchain) }
  }

  private mutating func forEachTrial(
    threads: Int, _ body: @escaping @Sendable (inout Trial) throws -> Void
  ) -> [Problem] {
    struct State {
      var trials: [Trial]
      var next = 0
      var problems: [Problem] = []
    }
    let state = Mutex(State(trials: trials))
    let group = DispatchGroup()
    for _ in 0..<threads {
      group.enter()
      Thread.detachNewThread {
        while let (index, trial) = state.withLock({ state -> (Int, Trial)? in
          guard state.next < state.trials.count else { return nil }
          defer { state.next += 1 }
          return (state.next, state.trials[state.next])
        }) {
          var trial = trial
          do {
            try body(&trial)
          } catch {
            let problem = error as? Problem ?? Problem(trial.place, "\(error)")
            state.withLock { $0.problems.append(problem) }
          }
          state.withLock { [trial] in $0.trials[index] = trial }
        }
        group.leave()
      }
    }
    group.wait()
    return state.withLock { state in
      trials = state.trials
      return state.problems
    }
  }

  // MARK: Judgement

  func outcome(of example: Case, _ role: Trial.Role) -> Outcome? {
    trials.first { $0.name == example.name && $0.role == role }?.outcome
  }

  /// Returns the differences between the outcomes and the expectations in the files.
  ///
  /// If there is no case, that is a problem too, because nothing would be checked.
  func judge() -> [Problem] {
    if trials.isEmpty { return [Problem("Cases", "no case was examined")] }
    return trials.flatMap { trial in
      let example = cases.first { $0.name == trial.name }!
      return switch trial.role {
      case .wrong: judge(trial, expectation: example.expectation)
      case .fixed: judgeFix(trial)
      case .peer: judgeErrors(of: trial) + judgeVisibility(of: trial)
      }
    }
  }

  /// Returns a problem if the compiler's errors are not exactly those that comments in the file expect.
  private func judgeErrors(of trial: Trial) -> [Problem] {
    func text(_ errors: [Diagnostic]) -> [String] {
      errors.sorted().map { "line \($0.line): \($0.message)" }
    }
    let difference = Problem.difference(from: text(trial.source.expectedErrors), to: text(trial.errors))
    return difference.isEmpty
      ? [] : [Problem(trial.place, "the errors are not those expected (- expected, + found)\n\(difference)")]
  }

  /// Returns a problem if the file compiles but has no function `run()` that would show its outcome.
  private func judgeVisibility(of trial: Trial) -> [Problem] {
    trial.outcome == nil && trial.errors.isEmpty
      ? [Problem(trial.place, "it compiles, and without `func run()` one does not see what it does")] : []
  }

  private func judge(_ trial: Trial, expectation: Case.Expectation) -> [Problem] {
    let errors = judgeErrors(of: trial)
    switch expectation {
    case .refused, .warned:
      return trial.errors.isEmpty ? [Problem(trial.place, "it compiles")] + errors : errors
    case .traps, .hangs, .silentlyWrong: break
    }
    guard errors.isEmpty else { return errors }
    func unexpected(_ expected: String) -> [Problem] {
      [
        Problem(
          trial.place, "expected: \(expected)\n  found: \(trial.outcome.map { "\($0)" } ?? "no program")")
      ]
    }
    switch (expectation, trial.outcome) {
    case (.traps(let sentence), .traps(let found)) where "Interlock: \(sentence)" == found: return []
    case (.traps(let sentence), _): return unexpected("it traps with \(sentence)")
    case (.hangs, .hangs), (.silentlyWrong, .silentlyWrong): return []
    case (.hangs, _): return unexpected("it hangs")
    case (.silentlyWrong, _): return unexpected("it is silently wrong")
    case (.refused, _), (.warned, _): return []
    }
  }

  /// Returns a problem if a correction does not compile, or if its program does not end with the right
  /// result.
  private func judgeFix(_ trial: Trial) -> [Problem] {
    if !trial.errors.isEmpty {
      let errors = trial.errors.map { "  line \($0.line): \($0.message)" }.joined(separator: "\n")
      return [Problem(trial.place, "the correction does not compile\n\(errors)")]
    }
    guard let outcome = trial.outcome, outcome != .harmless else { return [] }
    return [Problem(trial.place, "the correction compiles, but: \(outcome)")]
  }
}
