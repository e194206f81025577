#if Exploration
  @testable import Exploration
  import Foundation
  import InterlockCore
  import TestSupport
  import Testing

  /// Tests that the parts of an exploration together cover the whole exploration.
  ///
  /// `ReductionTests` also compares the outcomes of the parts with those of the whole.
  @Suite struct ExplorationPartTests {
    @Test func aPartIsANumberAndACount() {
      #expect(ExplorationPart("2/3") == ExplorationPart(number: 2, count: 3))
      for text in ["", "2", "0/2", "3/2", "1/0", "1/2/3", "one/2", "1/2 "] {
        #expect(ExplorationPart(text) == nil, "'\(text)'")
      }
    }

    private final class Shared: Sendable {
      let word = LockWord()
    }

    /// Three threads each add a number to one word by a load and a store, so additions can be lost.
    ///
    /// Returns the final value of the word.
    private static let program: @Sendable (Execution) -> UInt32 = { run in
      let shared = Shared()
      let threads = (0..<3).map { number in
        run.thread { shared.word.storeRelaxed(shared.word.loadRelaxed() + 1 << (4 * UInt32(number))) }
      }
      for thread in threads { thread.join() }
      return shared.word.loadRelaxed()
    }

    /// Explores `program`, and returns for each final value of the word the number of executions that had it.
    private func values(by strategy: any Strategy) throws -> [UInt32: Int] {
      let seen = Monitor<[UInt32: Int]>([:])
      _ = try explore(by: strategy) { run in
        let value = Self.program(run)
        seen.enter { $0[value, default: 0] += 1 }
      }
      return seen.enter { $0 }
    }

    @Test func partsOfRandomExecutionsAreTheWhole() throws {
      let whole = try values(by: RandomStrategy(executions: 500, seed: 3))
      var shared: [UInt32: Int] = [:]
      for number in 1...3 {
        let part = ExplorationPart(number: number, count: 3)
        let values = try values(by: RandomStrategy(executions: 500, seed: 3, part: part))
        let executions = values.values.reduce(0, +)
        #expect((166...167).contains(executions))
        shared.merge(values, uniquingKeysWith: +)
      }
      #expect(shared == whole)
    }

    @Test(arguments: [nil, 2])
    func eachFailureIsFoundByAPart(preemptions: Int?) throws {
      let whole = try values(by: ExhaustiveStrategy(preemptions: preemptions))
      for count in 2...4 {
        let parts = try (1...count).map { number in
          try values(
            by: ExhaustiveStrategy(
              preemptions: preemptions, part: ExplorationPart(number: number, count: count)))
        }
        for value in whole.keys {
          #expect(parts.contains { $0[value] != nil }, "\(count) parts, the value \(value)")
        }
        #expect(
          parts.allSatisfy { !$0.isEmpty && $0 != whole }, "each part does some of the work, and not all")
      }
    }

    @Test func aVariableThatNamesNoPartTraps() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        setenv("INTERLOCK_EXPLORE_PART", "3/2", 1)
        _ = try? explore { _ in }
      }
      #expect(
        result?.standardErrorContent.trap
          == "explore: the variable INTERLOCK_EXPLORE_PART is no part; set it to a number and a count: 1/2, 2/2"
      )
    }

    @Test func theSummaryNamesThePart() throws {
      let part = ExplorationPart(number: 2, count: 2)
      let summary = try explore(by: ExhaustiveStrategy(preemptions: nil, part: part), part: part) { run in
        _ = Self.program(run)
      }
      #expect(summary.description.hasSuffix(", part 2 of 2"))
    }
  }
#endif
