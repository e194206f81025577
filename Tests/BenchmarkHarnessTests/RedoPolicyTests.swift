internal import BenchmarkHarness
internal import Testing

@Suite("Redoing disturbed rounds")
struct RedoPolicyTests {
  /// Measures one round with the policy.
  ///
  /// Returns the round that the policy accepts, and the number of attempts.
  ///
  /// - Parameter disturbances: The number of involuntary context switches in each attempt.
  private func measure(
    _ policy: inout RedoPolicy, threads: Int = 2, disturbances: [Int]
  ) -> (stands: Round, attempts: Int) {
    var attempts = 0
    let round = policy.measure(threads: threads) {
      defer { attempts += 1 }
      return .sample(nanoseconds: UInt64(attempts + 1), operations: [1], switches: disturbances[attempts])
    }
    return (round, attempts)
  }

  @Test("An undisturbed round stands")
  func undisturbed() {
    var policy = RedoPolicy(processors: 2, mostPerRound: 2, mostInAll: 10)
    let (round, attempts) = measure(&policy, disturbances: [0])
    #expect(attempts == 1)
    #expect(!round.isDisturbed)
    #expect(policy.redone == 0)
  }

  @Test("A disturbed round is measured again, and the first undisturbed attempt stands")
  func redone() {
    var policy = RedoPolicy(processors: 2, mostPerRound: 3, mostInAll: 10)
    let (round, attempts) = measure(&policy, disturbances: [4, 1, 0, 0])
    #expect(attempts == 3)
    #expect(round.nanoseconds == 3)
    #expect(!round.isDisturbed)
    #expect(policy.redone == 2)
  }

  @Test("After the last redo the least disturbed attempt stands, and is marked")
  func leastDisturbed() {
    var policy = RedoPolicy(processors: 2, mostPerRound: 2, mostInAll: 10)
    let (round, attempts) = measure(&policy, disturbances: [4, 1, 3, 0])
    #expect(attempts == 3)
    #expect(round.nanoseconds == 2)
    #expect(round.isDisturbed)
    #expect(policy.redone == 2)
  }

  @Test("All rounds together have a limit")
  func limitInAll() {
    var policy = RedoPolicy(processors: 2, mostPerRound: 2, mostInAll: 3)
    #expect(measure(&policy, disturbances: [1, 1, 1]).attempts == 3)
    #expect(measure(&policy, disturbances: [1, 1, 1]).attempts == 2)
    #expect(measure(&policy, disturbances: [1, 1, 1]).attempts == 1)
    #expect(policy.redone == 3)
  }

  @Test("Where threads outnumber processors, disturbances are expected")
  func oversubscribed() {
    var policy = RedoPolicy(processors: 2, mostPerRound: 2, mostInAll: 10)
    let (round, attempts) = measure(&policy, threads: 3, disturbances: [50])
    #expect(attempts == 1)
    #expect(!round.isDisturbed)
  }
}
