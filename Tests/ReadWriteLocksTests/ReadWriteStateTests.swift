import InterlockCore
import Testing

@testable import ReadWriteLocks

/// Tests the predicates of `ReadWriteState` with all kinds of states, without a lock or a thread.
@Suite struct ReadWriteStateTests {
  private typealias State = ReadWriteState

  private static let flags = [
    State.biased, State.writersFirst, State.readersFirst, State.readersWaiting, State.writersWaiting,
    State.writeLocked,
  ]

  /// All combinations of flags, each with several counts of readers.
  private static let states: [State] =
    (0..<1 << UInt32(flags.count)).flatMap { combination in
      let bits = flags.indices.reduce(UInt32(0)) { bits, index in
        combination >> UInt32(index) & 1 == 1 ? bits | flags[index] : bits
      }
      return [0, 1, 2, State.countMask - 1, State.countMask].map { State(bits | $0) }
    }

  @Test("A released lock is passed on if a flag other than the bias is set")
  func flagsToPassOn() {
    for state in Self.states {
      #expect(state.hasFlags == Self.flags.dropFirst().contains { state.has($0) }, "\(state)")
    }
  }

  @Test("New readers are admitted if no flag is set and the count has room")
  func newReaders() {
    for state in Self.states {
      let isFull = state.bits & State.countMask == State.countMask
      let isFree = !Self.flags.dropFirst().contains { state.has($0) }
      #expect(state.admitsNewReader == (isFree && !isFull), "\(state)")
      #expect(state.admitsNewReaderUnbiased == (isFree && !isFull && !state.isBiased), "\(state)")
      #expect(state.admitsReaderInSlot == (isFree && state.isBiased), "\(state)")
    }
  }

  @Test("The word shows the holders, and whether a writer is admitted")
  func holders() {
    for state in Self.states {
      let count = state.bits & State.countMask
      let isWriting = state.has(State.writeLocked)
      #expect(state.isUnlocked == (!isWriting && count == 0), "\(state)")
      #expect(state.isWriteLocked == isWriting, "\(state)")
      #expect(state.isReadLocked == (!isWriting && count > 0), "\(state)")
      #expect(state.isFullOfReaders == (!isWriting && count == State.countMask), "\(state)")
      #expect(state.isWriteLocked(by: 2) == (isWriting && count == 2), "\(state)")
      #expect(state.admitsWriter == (state.isUnlocked && !state.has(State.readersFirst)), "\(state)")
    }
  }
}
