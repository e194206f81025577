import InterlockCore
import TestSupport
import Testing

@testable import ReadWriteLocks

/// Tests whether the lock grants its next turn to the readers or to the writers.
///
/// A turn is the right of one side to acquire the lock next.
@Suite struct CompactReadWriteCoreTests {
  private typealias State = ReadWriteState

  private static let bothWait = State.readersWaiting | State.writersWaiting

  /// A state of the lock before a thread releases it, and the number of turns that this release must grant.
  ///
  /// A turn is the right of readers or writers to acquire the lock next. In these tests no thread sleeps on
  /// the lock, so no thread takes a granted turn. If the flag `writersWaiting` is still set afterwards, the
  /// lock grants another turn, to the writers.
  struct Case: Sendable, CustomTestStringConvertible {
    var flags: UInt32
    var isAfterWriting: Bool
    var turnsBefore: UInt32
    var turns: UInt32

    var testDescription: String {
      let side = isAfterWriting ? "writer" : "reader"
      return "flags \(String(flags >> 27, radix: 2)), \(side), \(turnsBefore) turns before"
    }
  }

  private static let cases: [Case] =
    // When a writer releases the lock, every fourth turn goes to the readers. No reader sleeps to take this
    // turn, so the lock grants another turn to the writers.
    (0..<8).flatMap { before in
      [
        Case(flags: bothWait, isAfterWriting: true, turnsBefore: before, turns: before % 4 == 0 ? 2 : 1),
        Case(flags: bothWait, isAfterWriting: false, turnsBefore: before, turns: 1),
      ]
    } + [
      // If only readers wait, the lock wakes all of them and grants no turn.
      Case(flags: State.readersWaiting, isAfterWriting: true, turnsBefore: 4, turns: 0),
      Case(flags: State.writersWaiting, isAfterWriting: true, turnsBefore: 4, turns: 1),
      // The flag `readersFirst` gives the next turn to the readers. No reader sleeps to take this turn, so
      // the lock grants another turn to the writers.
      Case(flags: bothWait | State.readersFirst, isAfterWriting: true, turnsBefore: 1, turns: 2),
      // The next turn goes to the writers, because the readers have just had the turn that the flag
      // `readersFirst` gave them.
      Case(flags: bothWait | State.readersFirst, isAfterWriting: false, turnsBefore: 1, turns: 1),
      // The flag `writersFirst` gives the next turn to the writers. No writer sleeps, so no thread takes this
      // turn. The flag `writersWaiting` is still set, so the lock grants the writers another turn.
      Case(flags: bothWait | State.writersFirst, isAfterWriting: false, turnsBefore: 4, turns: 2),
      // A count of four turns would give the next turn to the readers, but the flag `writersFirst` takes
      // precedence. No writer sleeps, so no thread takes this turn. The flag `writersWaiting` is still set,
      // so the lock grants the writers another turn.
      Case(flags: bothWait | State.writersFirst, isAfterWriting: true, turnsBefore: 4, turns: 2),
    ]

  @Test("The next turn depends on the last holder, the waiters and the requests", arguments: cases)
  func turns(given: Case) {
    let core = CompactReadWriteCore()
    let held = given.isAfterWriting ? State.writeLocked | ThreadIdentity.current : 1
    core.state.storeRelaxed(held | given.flags)
    core.turns.storeRelaxed(given.turnsBefore)
    if given.isAfterWriting { core.unlockAfterWriting() } else { core.unlockAfterReading() }
    let (turns, state) = (core.turns.loadRelaxed() - given.turnsBefore, core.state.loadRelaxed())
    #expect(turns == given.turns)
    #expect(state == 0)
  }

  @Test("A turn of the writers wakes one of those that sleep")
  func turnWakesOneWriter() {
    // Repeats the attempt until two writers sleep before the release: only then can one of them be left
    // asleep.
    let hasLeftOneAsleep = (0..<100).contains { _ in
      let core = CompactReadWriteCore()
      core.state.storeRelaxed(State.writersWaiting | 1)
      let leftAsleep = whileTwoThreads {
        core.turns.wait(while: 0)
      } _: {
        core.unlockAfterReading()
        return core.turns.wake(count: .max)
      }
      return leftAsleep == 1
    }
    #expect(hasLeftOneAsleep)
  }

  @Test("A writer that releases the lock in vain keeps readers out for a writer that sleeps")
  func releaseInVain() {
    // Repeats the attempt until a writer sleeps before the release: only then must the release keep readers
    // out.
    let keepsReadersOut = (0..<100).contains { _ in
      let core = CompactReadWriteCore(isBiased: true)
      let left = whileTwoThreads {
        core.turns.wait(while: 0)
      } _: {
        core.state.storeRelaxed(
          State.writeLocked | ThreadIdentity.current | State.biased | State.writersWaiting)
        core.unlockAfterWritingInVain()
        defer { core.turns.wake(count: .max) }
        return core.state.state()
      }
      return left.isUnlocked && left.has(State.writersFirst) && left.has(State.writersWaiting)
    }
    #expect(keepsReadersOut)
  }

  @Test("A writer that just arrived leaves the readers' turn to them")
  func writerLeavesTurn() {
    let core = CompactReadWriteCore()
    core.state.storeRelaxed(State.readersFirst)
    let isWriting = core.tryLockForWriting()
    #expect(!isWriting)
    core.state.storeRelaxed(0)
  }

  @Test(
    "A writer that tries leaves the flags of those that wait, and the bias",
    arguments: [bothWait, State.biased])
  func tryLeavesFlags(flags: UInt32) {
    let core = CompactReadWriteCore()
    core.state.storeRelaxed(flags)
    let isWriting = core.tryLockForWriting()
    let state = core.state.loadRelaxed()
    #expect(isWriting && state == flags | State.writeLocked | ThreadIdentity.current)
    core.state.storeRelaxed(0)
  }

  /// Waits until the lock's state has the flag, and returns that state.
  private static func wait(for flag: UInt32, in core: borrowing CompactReadWriteCore) -> State {
    while true {
      let state = core.state.state()
      if state.has(flag) { return state }
      PlatformThread.yield()
    }
  }

  @Test("A reader that was woken in vain asks for the next turn, and gets it before a new writer")
  func readerAsks() {
    // Repeats the attempt until the reader sleeps before the release. A reader that has asked, but does not
    // sleep yet, gets no turn, and the new writer acquires the lock.
    let isWriterRefused = (0..<100).contains { _ in refusesWriterAfterReaderAsked() }
    #expect(isWriterRefused)
  }

  private func refusesWriterAfterReaderAsked() -> Bool {
    let core = CompactReadWriteCore()
    let isInside = Signal()
    let mayLeave = Signal()
    let isRefused = RelaxedFlag()
    race(threads: 2) { index in
      if index == 0 {
        core.state.storeRelaxed(State.writeLocked | ThreadIdentity.current)
        isInside.send()
        let state = Self.wait(for: State.readersWaiting, in: core)
        #expect(!state.has(State.readersFirst), "it has not been woken yet")
        while !core.state.state().has(State.readersFirst) {
          core.state.wake(count: .max)
          PlatformThread.yield()
        }
        core.unlockAfterWriting()
        let isWriting = core.tryLockForWriting()
        if isWriting { core.unlockAfterWriting() } else { isRefused.set() }
        mayLeave.send()
        return
      }
      isInside.wait()
      _ = core.lockForReading(until: .never, for: Primitive(.compact))
      mayLeave.wait()
      core.unlockAfterReading()
    }
    let rest = core.state.loadRelaxed()
    #expect(rest == 0)
    return isRefused.isSet
  }

  @Test("A writer that was woken in vain asks for the next turn, and gets it before a new reader")
  func writerAsks() {
    // Repeats the attempt until the writer sleeps before the release. A writer that has asked, but does not
    // sleep yet, gets no turn, and the new reader acquires the lock.
    let isReaderRefused = (0..<100).contains { _ in refusesReaderAfterWriterAsked() }
    #expect(isReaderRefused)
  }

  private func refusesReaderAfterWriterAsked() -> Bool {
    let core = CompactReadWriteCore()
    core.state.storeRelaxed(1)
    let mayLeave = Signal()
    let isRefused = RelaxedFlag()
    race(threads: 2) { index in
      if index == 0 {
        let state = Self.wait(for: State.writersWaiting, in: core)
        #expect(!state.has(State.writersFirst), "it has not been woken yet")
        while !core.state.state().has(State.writersFirst) {
          core.turns.wake(count: .max)
          PlatformThread.yield()
        }
        let isReadingBefore = core.tryLockForReading()
        core.unlockAfterReading()
        let isReading = core.tryLockForReading()
        #expect(!isReadingBefore)
        if isReading { core.unlockAfterReading() } else { isRefused.set() }
        mayLeave.send()
        return
      }
      _ = core.lockForWriting(until: .never, for: Primitive(.compact))
      mayLeave.wait()
      let state = core.state.state()
      #expect(!state.has(State.writersFirst))
      core.unlockAfterWriting()
    }
    let rest = core.state.loadRelaxed()
    #expect(rest == 0)
    return isRefused.isSet
  }

  @Test("A writer that gives up leaves its flag to a writer that sleeps")
  func writerGivesUpForAnother() {
    // Repeats the attempt until the second writer sleeps when the first one gives up: only then must the flag
    // `writersWaiting` stay set.
    let isFlagKept = (0..<100).contains { _ in keepsFlagOfWriterThatGivesUp() }
    #expect(isFlagKept)
  }

  private func keepsFlagOfWriterThatGivesUp() -> Bool {
    let core = CompactReadWriteCore()
    core.state.storeRelaxed(1)
    let isKept = RelaxedFlag()
    let hasGivenUp = RelaxedFlag()
    race(threads: 2) { index in
      if index == 0 {
        let deadline = Timeout(.milliseconds(10), for: Primitive(.compact)).deadlineFromNow()
        let isWriting = core.lockForWritingSlow(until: deadline, for: Primitive(.compact))
        #expect(!isWriting)
        // Counts the flag only if `turns` is still 0. A changed `turns` shows that the flag was cleared, and
        // the other writer may have set it again.
        let (turns, state) = (core.turns.loadRelaxed(), core.state.state())
        if turns == 0, state.has(State.writersWaiting) { isKept.set() }
        hasGivenUp.set()
        core.unlockAfterReading()
        return
      }
      while !core.state.state().has(State.writersWaiting), !hasGivenUp.isSet { PlatformThread.yield() }
      _ = core.lockForWriting(until: .never, for: Primitive(.compact))
      core.unlockAfterWriting()
    }
    let rest = core.state.loadRelaxed()
    #expect(rest == 0)
    return isKept.isSet
  }
}
