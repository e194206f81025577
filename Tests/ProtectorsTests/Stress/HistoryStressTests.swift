import Exploration
import LocksUnderTest
import Protectors
import TestSupport
import Testing

@Sendable
private func take(_ number: inout sending Int) -> sending Int {
  PlatformThread.yield()
  defer { number -= 1 }
  return number
}

/// A number that several threads use concurrently, with the operations of `NumberModel`.
private protocol SharedNumber: Sendable {
  func perform(_ operation: NumberModel.Operation, limit: Duration) -> Int?
}

/// A shared number in a protector.
private struct ProtectedNumber: SharedNumber {
  let number: any WaitableValue<Int>

  func perform(_ operation: NumberModel.Operation, limit: Duration) -> Int? {
    switch operation {
    case .add(let amount):
      number.withWriteLock { value in
        defer { value += amount }
        return value
      }
    case .read: number.withReadLock { $0 }
    case .exchange(let other): number.exchange(other)
    case .takeIfPositive: number.withWriteLock { $0 > 0 ? take(&$0) : nil }
    case .takeWhenPositive:
      untilEvaluated { looks in
        number.withWriteLock(waitingUntil: { looks.counting($0 > 0) }, timeout: limit, take)
      }
    case .readWhenEven:
      untilEvaluated { looks in
        number.withReadLock(waitingUntil: { looks.counting($0.isMultiple(of: 2)) }, timeout: limit) { $0 }
      }
    }
  }

  /// Repeats a wait that gave up before it had the lock, because the model knows no lock.
  private func untilEvaluated(_ wait: (_ looks: RelaxedCounter) -> Int?) -> Int? {
    let looks = RelaxedCounter()
    while true {
      let result = wait(looks)
      if result != nil || looks.value > 0 { return result }
    }
  }
}

/// A number with one deliberate concurrency mistake, which the checker must find.
private struct BrokenNumber: SharedNumber {
  enum Mistake: CaseIterable, Sendable {
    /// `takeIfPositive` checks the number in one critical section, and subtracts 1 in another.
    case checkThenAct
    /// `add` reads the number in one critical section, and writes the sum in another.
    case readThenWrite
    /// `read` returns the number that the previous `read` found.
    case staleRead
  }

  let mistake: Mistake
  let number = ProtectorUnderTest.biased.protectForWaits(1)
  let old = Protector(1)

  func perform(_ operation: NumberModel.Operation, limit: Duration) -> Int? {
    switch (operation, mistake) {
    case (.takeIfPositive, .checkThenAct):
      guard number.withReadLock({ $0 > 0 }) else { return nil }
      PlatformThread.yield()
      return number.withWriteLock(take)
    case (.add(let amount), .readThenWrite):
      let before = number.withReadLock { $0 }
      PlatformThread.yield()
      _ = number.exchange(before + amount)
      return before
    case (.read, .staleRead):
      return old.exchange(number.withReadLock { $0 })
    default:
      return ProtectedNumber(number: number).perform(operation, limit: limit)
    }
  }
}

@Suite struct HistoryStressTests {
  // MARK: The checker itself

  private func isLinearizable(_ calls: (NumberModel.Operation, Int?, Int, Int)...) -> Bool {
    NumberModel().explains(calls.map { RecordedOperation($0.0, $0.1, began: $0.2, ended: $0.3) })
  }

  @Test func nonlinearizableHistoriesAreRejected() {
    // The checker must reject a read of the old number after an addition has ended, or after another read has
    // returned the sum.
    #expect(!isLinearizable((.add(2), 1, 0, 1), (.read, 1, 2, 3)))
    #expect(!isLinearizable((.add(2), 1, 0, 9), (.read, 3, 1, 2), (.read, 1, 3, 4)))
    // The checker must reject five histories: two calls take the same 1; a call takes 0; an addition is lost;
    // a wait times out although the number was always positive; a wait for an even number returns 3.
    #expect(!isLinearizable((.takeIfPositive, 1, 0, 5), (.takeIfPositive, 1, 1, 4)))
    #expect(!isLinearizable((.takeIfPositive, 1, 0, 5), (.takeIfPositive, 0, 1, 4)))
    #expect(!isLinearizable((.add(1), 1, 0, 5), (.add(1), 1, 1, 4)))
    #expect(!isLinearizable((.takeWhenPositive, nil, 0, 5), (.add(2), 1, 1, 4)))
    #expect(!isLinearizable((.readWhenEven, 3, 0, 5), (.exchange(3), 1, 1, 4)))
  }

  // MARK: Recorded histories

  /// Records a history of three threads with six random operations each; returns whether some sequential
  /// order of the operations gives the same results.
  ///
  /// The test's seed and `round` determine the operations, and `round` also the timeout of the waits.
  private func isExplained(_ number: some SharedNumber, round: Int) -> Bool {
    let programs = (0..<3).map { index in
      var random = Seed.current.generator(stream: round * 3 + index)
      return (0..<6).map { _ -> NumberModel.Operation in
        switch random.next() % 8 {
        case 0: .add(Int(random.next() % 3) + 1)
        case 1: .read
        case 2: .exchange(Int(random.next() % 3))
        case 3, 4: .takeIfPositive
        case 5, 6: .takeWhenPositive
        default: .readWhenEven
        }
      }
    }
    let limit = Duration.microseconds(round % 50)
    return NumberModel().explains(
      history(of: NumberModel.self, programs) { number.perform($0, limit: limit) })
  }

  @Test(arguments: ProtectorUnderTest.waiting)
  func everyHistoryOfAProtectorIsAccepted(candidate: ProtectorUnderTest) {
    let isAccepted = (0..<StressSize.pick(quick: 150, full: 10_000)).allSatisfy {
      isExplained(ProtectedNumber(number: candidate.protectForWaits(1)), round: $0)
    }
    #expect(isAccepted, "\(Seed.current)")
  }

  /// For each mistake, the checker must reject at least one of up to 20 000 recorded histories.
  @Test(arguments: BrokenNumber.Mistake.allCases)
  fileprivate func aBrokenVariantIsRejected(mistake: BrokenNumber.Mistake) {
    let isFound = (0..<20_000).contains { !isExplained(BrokenNumber(mistake: mistake), round: $0) }
    #expect(isFound, "\(Seed.current)")
  }
}
