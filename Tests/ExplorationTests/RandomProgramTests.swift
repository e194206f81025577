#if Exploration
  import Exploration
  import InterlockCore
  import TestSupport
  import Testing

  /// Compares the outcomes of random programs with those that an oracle derives from axioms.
  @Suite(.serialized) struct RandomProgramTests {
    private final class Word: Sendable {
      let atomic = AtomicWord()

      func perform(_ operation: AtomicProgram.Operation) -> UInt64 {
        let ordering = operation.ordering
        switch operation.kind {
        case .load: return atomic.load(ordering)
        case .add: return atomic.add(operation.operand, ordering)
        case .exchange: return atomic.exchange(operation.operand, ordering)
        case .compareExchange(let expected):
          return atomic.compareExchange(expected: expected, desired: operation.operand, ordering).original
        case .store: atomic.store(operation.operand, ordering)
        case .fence: fence(ordering)
        }
        return 0
      }
    }

    /// Explores a program exhaustively.
    private func explored(_ program: AtomicProgram, oldReads: Int) throws -> (
      Set<Outcome>, ExplorationSummary
    ) {
      let seen = Monitor(Set<Outcome>())
      let summary = try explore(
        .exhaustive(), limits: ExplorationLimits(duration: .seconds(600), oldReads: oldReads)
      ) {
        run in
        let words = (0..<program.words).map { _ in Word() }
        let threads = program.threads.map { operations in
          run.thread { operations.map { words[$0.word].perform($0) } }
        }
        let outcome = threads.flatMap { $0.join() } + words.map { $0.atomic.load(.relaxed) }
        seen.enter { _ = $0.insert(outcome) }
      }
      return (seen.enter { $0 }, summary)
    }

    /// Makes a random program of at most 9 operations; in half of the programs, all stores have different
    /// values.
    private func program(_ random: inout SplitMix64) -> AtomicProgram {
      let threadCount = Int.random(in: 2...3, using: &random)
      let words = Int.random(in: 2...3, using: &random)
      var value: UInt64 = 0
      let valueCount: UInt64 = Bool.random(using: &random) ? 2 : 9
      func operation() -> AtomicProgram.Operation {
        value = value % valueCount + 1
        let anyOrder: [MemoryOrdering] = [
          .relaxed, .acquiring, .releasing, .acquiringAndReleasing, .sequentiallyConsistent,
        ]
        let (kind, orderings): (AtomicProgram.Operation.Kind, [MemoryOrdering]) =
          switch Int.random(in: 0..<20, using: &random) {
          case 0..<8: (.load, [.relaxed, .acquiring, .sequentiallyConsistent])
          case 8..<14: (.store, [.relaxed, .releasing, .sequentiallyConsistent])
          case 14: (.exchange, anyOrder)
          case 15: (.add, anyOrder)
          case 16, 17: (.compareExchange(expected: .random(in: 0...value, using: &random)), anyOrder)
          default: (.fence, Array(anyOrder.dropFirst()))
          }
        return AtomicProgram.Operation(
          kind: kind, word: .random(in: 0..<words, using: &random), operand: value,
          ordering: orderings.randomElement(using: &random)!)
      }
      let threads = (0..<threadCount).map { _ in
        (0..<Int.random(in: 2...(threadCount == 2 ? 4 : 3), using: &random)).map { _ in operation() }
      }
      // Discards a program whose first two threads share no word, because an exploration of threads that
      // share nothing fails.
      let used = threads.map { Set($0.filter { $0.kind != .fence }.map(\.word)) }
      return used[0].isDisjoint(with: used[1])
        ? self.program(&random) : AtomicProgram(threads: threads, words: words)
    }

    /// An exploration must show every outcome that the oracle requires, and none that the axioms forbid.
    ///
    /// A required outcome may be missing only if the summary says that the limit of old reads was reached.
    @Test func outcomesAreThoseOfTheAxioms() throws {
      var random = SplitMix64(state: 36)
      let count = StressSize.pick(quick: 2_000, full: 20_000)
      var (outcomes, restricted, limited, executions) = (0, 0, 0, 0)
      for number in 0..<count {
        let program = program(&random)
        let oracle = MemoryModelOracle(program)
        let (seen, summary) = try explored(program, oldReads: number % 4 == 0 ? 1 : 16)
        #expect(summary.isExhaustive)
        let forbidden = seen.subtracting(oracle.allowed)
        #expect(forbidden.isEmpty, "program \(number), \(forbidden): \(program)")
        let missed = oracle.required.subtracting(seen)
        #expect(summary.limitedOldReads || missed.isEmpty, "program \(number), \(missed): \(program)")
        outcomes += seen.count
        restricted += oracle.allowed.subtracting(seen).count
        limited += missed.isEmpty ? 0 : 1
        executions += summary.executions
      }
      print(
        "\(count) programs: \(outcomes) outcomes in \(executions) executions; \(restricted) outside the domain or"
          + " beyond the limit, which was reached in \(limited) programs")
      #expect(outcomes > 9 * count && restricted > 0)
    }
  }
#endif
