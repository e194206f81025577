import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests of misuse that traps; each test runs in a process of its own.
///
/// Traps of a single implementation are tested in that implementation's file.
extension ReadWriteLockContract {
  @Test(arguments: LockUnderTest.all, Access.allCases)
  private func nestingInsideWritingTraps(candidate: LockUnderTest, inner: Access) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [name = candidate.name as String, isReading = (inner == .reading) as Bool] in
      let lock = LockUnderTest(named: name).make()
      lock.withWriteLock { if isReading { lock.withReadLock {} } else { lock.withWriteLock {} } }
    }
    expectRecursionMessage(in: result?.standardErrorContent, of: candidate, wanted: inner)
  }

  /// Recursion must also trap while other threads wait, which changes the lock's state.
  @Test(arguments: LockUnderTest.all)
  func recursionWhileOthersWaitTraps(candidate: LockUnderTest) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [name = candidate.name as String] in
      let lock = LockUnderTest(named: name).make()
      race(threads: 4) { index in
        for _ in 0..<50 {
          if index.isMultiple(of: 2) {
            lock.withReadLock { PlatformThread.yield() }
          } else {
            lock.withWriteLock { PlatformThread.yield() }
          }
        }
        lock.withWriteLock { lock.withWriteLock {} }
      }
    }
    expectRecursionMessage(in: result?.standardErrorContent, of: candidate, wanted: .writing)
  }

  @Test(arguments: LockUnderTest.trappingWhenDestroyed, Access.allCases)
  private func destroyingItWhileHeldTraps(candidate: LockUnderTest, access: Access) async {
    // Readers in the `SlotTable` are not detected, so readers of the biased lock must be counted.
    let isBiased = candidate.primitive == "BiasedReadWriteLock" && !candidate.name.hasSuffix("(counted)")
    if access == .reading, isBiased { return }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [name = candidate.name as String, isReading = (access == .reading) as Bool] in
      LockUnderTest(named: name).destroyWhileHeld(isReading)
    }
    #expect(
      result?.standardErrorContent.trap == "\(candidate.primitive): destroyed while a thread holds it; "
        + "keep the lock alive until every section has ended")
  }

  @Test(arguments: TimedLockUnderTest.all, Access.allCases)
  private func timedNestingInsideWritingTraps(candidate: TimedLockUnderTest, inner: Access) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [name = candidate.name as String, isReading = (inner == .reading) as Bool] in
      let lock = TimedLockUnderTest(named: name).make()
      let timeout = Duration.seconds(1000)
      _ = unlessTimedOut {
        try lock.withWriteLock(timeout: .zero) {
          _ =
            isReading
            ? unlessTimedOut { try lock.withReadLock(timeout: timeout) {} }
            : unlessTimedOut { try lock.withWriteLock(timeout: timeout) {} }
        }
      }
    }
    expectRecursionMessage(
      in: result?.standardErrorContent, of: LockUnderTest(named: candidate.name), wanted: inner)
  }

  @Test(arguments: TimedLockUnderTest.all, Access.allCases)
  private func aNegativeTimeoutTraps(candidate: TimedLockUnderTest, access: Access) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [name = candidate.name as String, isReading = (access == .reading) as Bool] in
      let lock = TimedLockUnderTest(named: name).make()
      let timeout = Duration.seconds(-1)
      _ =
        isReading
        ? unlessTimedOut { try lock.withReadLock(timeout: timeout) {} }
        : unlessTimedOut { try lock.withWriteLock(timeout: timeout) {} }
    }
    let primitive = LockUnderTest(named: candidate.name).primitive
    #expect(
      result?.standardErrorContent.trap
        == "\(primitive): a timeout of -1.0 seconds is negative; pass .zero to try once without waiting")
  }

  // MARK: Messages

  private enum Access: CaseIterable {
    case reading, writing
  }

  private func expectRecursionMessage(
    in standardError: [UInt8]?, of candidate: LockUnderTest, wanted: Access,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let message = standardError?.trap ?? "no message"
    let primitive = candidate.primitive
    let expected =
      if candidate.exemptions.contains(.readsAreExclusive) {
        // Readers of this lock exclude one another, so its message does not distinguish reading from writing.
        "\(primitive): locked by the thread that already holds it; "
          + "take it once, and call what needs it from outside the section"
      } else if wanted == .reading {
        "\(primitive): locked for reading by the thread that holds it for writing; "
          + "use what the write section gives access to"
      } else if primitive == "DispatchReadWriteLock" {
        // A `DispatchReadWriteLock` does not know whether the enclosing section reads or writes.
        "\(primitive): locked for writing inside a section of the same lock; "
          + "take the write lock once, from outside"
      } else {
        "\(primitive): locked for writing by the thread that already holds it for writing; "
          + "take it once, and call what needs it from outside the section"
      }
    #expect(message == expected, sourceLocation: sourceLocation)
  }
}
