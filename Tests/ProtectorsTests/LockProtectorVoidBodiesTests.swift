import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests calls whose body returns nothing, and is skipped if a condition fails or the lock is not available.
///
/// Such a call returns whether the body ran. The tests also check that these calls compile.
@Suite struct LockProtectorVoidBodiesTests {
  private struct Failure: Error, Equatable {
    var number: Int
  }

  @Test func theResultSaysWhetherTheBodyRan() {
    let number = Protector(1)
    let ran: [Bool] = [
      number.withWriteLock(timeout: .zero) { $0 += 1 },
      number.withWriteLockIfAvailable { $0 += 1 },
      number.withWriteLock(waitingUntil: { $0 == 3 }, timeout: .zero) { $0 += 1 },
      number.withReadLock(timeout: .zero) { _ in },
      number.withReadLockIfAvailable { _ in },
      number.withReadLock(waitingUntil: { $0 == 4 }, timeout: nil) { _ in },
    ]
    #expect(ran == Array(repeating: true, count: 6))
    let whileHeld: [Bool] = number.withWriteLock { _ in
      onAnotherThread {
        [
          number.withWriteLock(timeout: .zero) { $0 += 1 },
          number.withWriteLockIfAvailable { $0 += 1 },
          number.withWriteLock(waitingUntil: { _ in true }, timeout: .zero) { $0 += 1 },
          number.withReadLock(timeout: .zero) { _ in },
          number.withReadLockIfAvailable { _ in },
          number.withReadLock(waitingUntil: { _ in true }, timeout: .zero) { _ in },
        ]
      }
    }
    #expect(whileHeld == Array(repeating: false, count: 6))
    let inVain: [Bool] = [
      number.withWriteLock(waitingUntil: { $0 == 1 }, timeout: .zero) { $0 += 1 },
      number.withReadLock(waitingUntil: { $0 == 1 }, timeout: .zero) { _ in },
    ]
    #expect(inVain == [false, false])
    #expect(number.value == 4)
  }

  /// The body's result type decides whether the call returns a `Bool` or an optional, even if the body has
  /// several statements or throws.
  @Test func theBodysResultSelectsTheForm() throws {
    let numbers = Protector([1, 2])
    let several: Bool = numbers.withWriteLock(timeout: .zero) { numbers in
      for index in numbers.indices { numbers[index] += 1 }
      if numbers.isEmpty { return }
      numbers.append(4)
    }
    let typed: Bool = try numbers.withWriteLockIfAvailable { numbers throws(Failure) in
      guard !numbers.isEmpty else { throw Failure(number: 1) }
      numbers[0] = 7
    }
    let removed: Int? = numbers.withWriteLock(timeout: .zero) { $0.removeFirst() }
    let last: Int? = numbers.withWriteLock(waitingUntil: { $0.count == 2 }, timeout: .zero) { numbers in
      let last = numbers[1]
      numbers[1] = 0
      return last
    }
    #expect(several)
    #expect(typed)
    #expect(removed == 7)
    #expect(last == 4)
    func fail() throws(Failure) {
      _ = try numbers.withReadLockIfAvailable { numbers throws(Failure) in
        throw Failure(number: numbers.count)
      }
    }
    #expect(throws: Failure(number: 2)) { try fail() }
  }

  /// If the body returns nothing, the functions with conditions return a `Bool`, even if the value is not
  /// `Sendable`.
  @Test func exclusiveProtectorsHaveVoidBodies() {
    final class Box {
      var number = 0
    }
    let box = ExclusiveProtector(Box())
    let ran: [Bool] = [
      box.withLock(timeout: .zero) { $0.number = 1 },
      box.withLock(waitingUntil: { $0.number == 1 }, timeout: .zero) { $0.number = 2 },
      box.withLockIfAvailable { $0.number = 3 },
    ]
    #expect(ran == Array(repeating: true, count: 3))
    #expect(!box.withLock(waitingUntil: { $0.number == 1 }, timeout: .milliseconds(1)) { $0.number = 2 })
  }
}
