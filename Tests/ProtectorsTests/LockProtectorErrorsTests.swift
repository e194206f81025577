import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that a call which gives up throws instead of running its body, and that its error says whose it is.
@Suite struct LockProtectorErrorsTests {
  private struct Failure: Error, Equatable {
    var number: Int
  }

  /// A body of a call, which must not run.
  private struct HasRun: Error {}

  @Test func aCallThatThrowsHasNotRunItsBody() throws {
    let number = Protector(1)
    try number.withWriteLock(timeout: .zero) { $0 += 1 }
    try number.withWriteLock(waitingUntil: { $0 == 2 }, timeout: .zero) { $0 += 1 }
    try number.withReadLock(timeout: .zero) { _ in }
    try number.withReadLock(waitingUntil: { $0 == 3 }, timeout: nil) { _ in }
    let whileHeld: [TimeoutError?] = number.withWriteLock { _ in
      onAnotherThread {
        let never: @Sendable (borrowing Int) throws -> Void = { _ in throw HasRun() }
        return [
          #expect(throws: TimeoutError.self) { try number.withWriteLock(timeout: .zero) { try never($0) } },
          #expect(throws: TimeoutError.self) {
            try number.withWriteLock(waitingUntil: { _ in true }, timeout: .zero) { try never($0) }
          },
          #expect(throws: TimeoutError.self) { try number.withReadLock(timeout: .zero) { try never($0) } },
          #expect(throws: TimeoutError.self) {
            try number.withReadLock(waitingUntil: { _ in true }, timeout: .zero) { try never($0) }
          },
        ]
      }
    }
    #expect(whileHeld.allSatisfy { $0?.isThrown(by: number) == true })
    let inVain = [
      #expect(throws: TimeoutError.self) {
        try number.withWriteLock(waitingUntil: { $0 == 1 }, timeout: .milliseconds(1)) { _ in throw HasRun() }
      },
      #expect(throws: TimeoutError.self) {
        try number.withReadLock(waitingUntil: { $0 == 1 }, timeout: .milliseconds(1)) { _ in throw HasRun() }
      },
    ]
    #expect(inVain.allSatisfy { $0?.isThrown(by: number) == true && $0?.label == "Protector" })
    #expect(number.value == 3)
  }

  @Test func anAsynchronousCallThatThrowsHasNotRunItsBody() async {
    let number = Protector(1)
    let isTwo = number.condition { $0 == 2 }
    for timeout in [Duration.zero, .milliseconds(1)] {
      let inVain = [
        await #expect(throws: TimeoutError.self) {
          try await number.withWriteLock(waitingUntil: { $0 == 2 }, timeout: timeout) { _ in throw HasRun() }
        },
        await #expect(throws: TimeoutError.self) {
          try await number.withReadLock(waitingUntil: { $0 == 2 }, timeout: timeout) { _ in throw HasRun() }
        },
        await #expect(throws: TimeoutError.self) {
          try await number.withWriteLock(waitingUntil: isTwo, timeout: timeout) { _ in throw HasRun() }
        },
        await #expect(throws: TimeoutError.self) {
          try await number.withReadLock(waitingUntil: isTwo, timeout: timeout) { _ in throw HasRun() }
        },
      ]
      #expect(inVain.allSatisfy { $0?.isThrown(by: number) == true && $0?.label == "Protector" })
    }
  }

  /// A `TimeoutError` of the body passes, and is that of the inner protector.
  @Test func theErrorSaysWhoseTimeoutPassed() async {
    let (outer, inner) = (Protector(0), ExclusiveProtector(0))
    let errors = [
      #expect(throws: TimeoutError.self) {
        try outer.withWriteLock(timeout: .seconds(1000)) { _ in
          try inner.withLock(waitingUntil: { $0 == 1 }, timeout: .zero) { _ in throw HasRun() }
        }
      },
      await #expect(throws: TimeoutError.self) {
        try await outer.withReadLock(waitingUntil: { $0 == 0 }, timeout: .seconds(1000)) { _ in
          try inner.withLock(waitingUntil: { $0 == 1 }, timeout: .milliseconds(1)) { _ in throw HasRun() }
        }
      },
    ]
    for error in errors {
      #expect(error?.isThrown(by: inner) == true)
      #expect(error?.isThrown(by: outer) == false)
      #expect(error?.label == "ExclusiveProtector")
    }
    // One that the program has made is nobody's.
    let own = #expect(throws: TimeoutError.self) {
      try outer.withWriteLock(timeout: .zero) { _ in throw TimeoutError(label: "own") }
    }
    #expect(own?.isThrown(by: outer) == false)
  }

  /// An exclusive protector's value need not be `Sendable`.
  @Test func exclusiveProtectorsThrow() throws {
    final class Box {
      var number = 0
    }
    let box = ExclusiveProtector(Box())
    try box.withLock(timeout: .zero) { $0.number = 1 }
    try box.withLock(waitingUntil: { $0.number == 1 }, timeout: .zero) { $0.number = 2 }
    #expect(box.withLockIfAvailable { $0.number = 3 } != nil)
    let error = #expect(throws: TimeoutError.self) {
      try box.withLock(waitingUntil: { $0.number == 1 }, timeout: .milliseconds(1)) { $0.number = 2 }
    }
    #expect(error?.isThrown(by: box) == true)
    let whileHeld = box.withLock { _ in
      onAnotherThread {
        (
          box.withLockIfAvailable { $0.number = 4 } == nil,
          #expect(throws: TimeoutError.self) { try box.withLock(timeout: .zero) { $0.number = 4 } }
        )
      }
    }
    #expect(whileHeld.0 && whileHeld.1?.isThrown(by: box) == true)
    #expect(box.withLock { $0.number } == 3)
  }

  /// What can't give up, and `…IfAvailable`, have the body's typed error alone.
  @Test func endlessFormsHaveTheErrorOfTheirBody() {
    let numbers = Protector([1, 2])
    let exclusive = ExclusiveProtector(1)
    func fail(_ form: Int) throws(Failure) {
      let failure = Failure(number: form)
      switch form {
      case 0: try numbers.withReadLock { _ throws(Failure) in throw failure }
      case 1: try numbers.withWriteLock { _ throws(Failure) in throw failure }
      case 2: try numbers.withReadLock(waitingUntil: { !$0.isEmpty }) { _ throws(Failure) in throw failure }
      case 3: try numbers.withWriteLock(waitingUntil: { !$0.isEmpty }) { _ throws(Failure) in throw failure }
      case 4: _ = try numbers.withReadLockIfAvailable { _ throws(Failure) in throw failure }
      case 5: _ = try numbers.withWriteLockIfAvailable { _ throws(Failure) in throw failure }
      case 6: try exclusive.withLock { _ throws(Failure) in throw failure }
      case 7: try exclusive.withLock(waitingUntil: { $0 == 1 }) { _ throws(Failure) in throw failure }
      case 8: _ = try exclusive.withLockIfAvailable { _ throws(Failure) in throw failure }
      case 9: try withWriteLocks(numbers, exclusive) { _, _ throws(Failure) in throw failure }
      default:
        try withWriteLocks(numbers, exclusive, waitingUntil: { $1 == 1 }) { _, _ throws(Failure) in
          throw failure
        }
      }
    }
    for form in 0..<11 { #expect(throws: Failure(number: form)) { try fail(form) } }
  }
}
