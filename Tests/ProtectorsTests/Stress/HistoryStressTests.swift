import Exploration
import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// A number that several threads use concurrently, with the operations of `NumberModel`.
private protocol SharedNumber: Sendable {
  func perform(_ operation: NumberModel.Operation, limit: Duration) -> Int?
}

extension SharedNumber {
  /// Repeats a wait that gave up before it had the lock, because the model knows no lock.
  fileprivate func untilEvaluated(_ wait: (_ looks: @Sendable (Bool) -> Bool) -> Int?) -> Int? {
    let looks = RelaxedCounter()
    while true {
      let result = wait { holds in
        looks.add(1)
        return holds
      }
      if result != nil || looks.value > 0 { return result }
    }
  }
}

@Sendable
private func take(_ number: inout sending Int) -> sending Int {
  PlatformThread.yield()
  defer { number -= 1 }
  return number
}

/// A shared number in a protector.
private struct ProtectedNumber<Lock: RawReadWriteLock & ~Copyable>: SharedNumber {
  let number: LockProtector<Int, Lock>

  func perform(_ operation: NumberModel.Operation, limit: Duration) -> Int? {
    switch operation {
    case .add(let amount): number.exchange { $0 + amount }
    case .read: number.value
    case .exchange(let other): number.exchange(other)
    case .takeIfPositive: number.withWriteLock { $0 > 0 ? take(&$0) : nil }
    case .takeWhenPositive:
      untilEvaluated { looks in
        number.withWriteLock(waitingUntil: { looks($0 > 0) }, timeout: limit, take)
      }
    case .readWhenEven:
      untilEvaluated { looks in
        number.withReadLock(waitingUntil: { looks($0.isMultiple(of: 2)) }, timeout: limit) { $0 }
      }
    }
  }
}

/// A shared number in an exclusive protector.
private struct ExclusiveNumber: SharedNumber {
  let number = ExclusiveProtector(1)

  func perform(_ operation: NumberModel.Operation, limit: Duration) -> Int? {
    switch operation {
    case .add(let amount): number.exchange { $0 + amount }
    case .read: number.value
    case .exchange(let other): number.exchange(other)
    case .takeIfPositive: number.withLock { $0 > 0 ? take(&$0) : nil }
    case .takeWhenPositive:
      untilEvaluated { looks in
        number.withLock(waitingUntil: { looks($0 > 0) }, timeout: limit, take)
      }
    case .readWhenEven:
      untilEvaluated { looks in
        number.withLock(waitingUntil: { looks($0.isMultiple(of: 2)) }, timeout: limit) { $0 }
      }
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
  let number = Protector(1)
  let old = Protector(1)

  func perform(_ operation: NumberModel.Operation, limit: Duration) -> Int? {
    let right = ProtectedNumber(number: number)
    switch (operation, mistake) {
    case (.takeIfPositive, .checkThenAct):
      guard number.withReadLock({ $0 > 0 }) else { return nil }
      PlatformThread.yield()
      return number.exchange { $0 - 1 }
    case (.add(let amount), .readThenWrite):
      let before = number.value
      PlatformThread.yield()
      number.exchange(before + amount)
      return before
    case (.read, .staleRead):
      return old.exchange(number.value)
    default:
      return right.perform(operation, limit: limit)
    }
  }
}

@Suite struct HistoryStressTests {
  // MARK: The checker itself

  private func isLinearizable(_ calls: (NumberModel.Operation, Int?, Int, Int)...) -> Bool {
    NumberModel().explains(calls.map { RecordedOperation($0.0, $0.1, began: $0.2, ended: $0.3) })
  }

  @Test func linearizableHistoriesAreAccepted() {
    #expect(isLinearizable())
    #expect(isLinearizable((.read, 1, 0, 1), (.add(2), 1, 2, 3), (.read, 3, 4, 5)))
    // Calls that overlap in time may take effect in either order.
    #expect(isLinearizable((.add(2), 1, 0, 9), (.read, 1, 1, 2), (.read, 3, 3, 4)))
    #expect(isLinearizable((.takeIfPositive, nil, 0, 5), (.takeIfPositive, 1, 1, 4)))
    #expect(isLinearizable((.takeWhenPositive, 2, 0, 9), (.exchange(0), 1, 1, 2), (.add(2), 0, 3, 4)))
    #expect(isLinearizable((.readWhenEven, nil, 0, 1), (.exchange(4), 1, 2, 3), (.readWhenEven, 4, 4, 5)))
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

  private func count(ofRejected rounds: Int, _ make: () -> some SharedNumber) -> Int {
    (0..<rounds).count { !isExplained(make(), round: $0) }
  }

  @Test func everyHistoryOfAProtectorIsAccepted() {
    let rounds = StressSize.pick(quick: 300, full: 20_000)
    #expect(count(ofRejected: rounds) { ProtectedNumber(number: Protector(1)) } == 0, "\(Seed.current)")
    #expect(count(ofRejected: rounds) { ExclusiveNumber() } == 0, "\(Seed.current)")
    #expect(
      count(ofRejected: rounds) {
        ProtectedNumber(number: LockProtector(1, lock: CompactReadWriteLock()))
      } == 0, "\(Seed.current)")
  }

  /// For each mistake, the checker must reject at least one of up to 20 000 recorded histories.
  @Test(arguments: BrokenNumber.Mistake.allCases)
  fileprivate func aBrokenVariantIsRejected(mistake: BrokenNumber.Mistake) {
    let isFound = (0..<20_000).contains { !isExplained(BrokenNumber(mistake: mistake), round: $0) }
    #expect(isFound, "\(Seed.current)")
  }
}
