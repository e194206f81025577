import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// An object whose deinit uses the protector that it was in.
private final class Caller: Sendable {
  private let onEnd: @Sendable () -> Void

  init(onEnd: @escaping @Sendable () -> Void) {
    self.onEnd = onEnd
  }

  deinit {
    onEnd()
  }
}

/// `exchange` and `snapshot`.
@Suite struct LockProtectorReplacingTests {
  @Test func theOldValueIsReturned() {
    let text = Protector("a")
    #expect(text.exchange("b") == "a")
    #expect(text.exchange { $0 + "c" } == "b")
    #expect(text.snapshot == "bc")
  }

  @Test func aNewValueThatCanNotBeMadeReplacesNothing() {
    struct Failure: Error {}
    let text = Protector("a")
    #expect(throws: Failure.self) { try text.exchange { _ in throw Failure() } }
    #expect(text.snapshot == "a")
    #expect(text.withWriteLockIfAvailable { $0 } == "a")
  }

  @Test func noncopyableValuesAreExchanged() {
    let lifetimes = Lifetimes()
    let token = Protector(TrackedToken(lifetimes, number: 1))
    do {
      let old = token.exchange(TrackedToken(lifetimes, number: 2))
      let number = old.number
      #expect(number == 1)
      #expect(lifetimes.alive == 2)
    }
    #expect(lifetimes.alive == 1)
    token.exchange { TrackedToken(lifetimes, number: $0.number + 1) }
    #expect(token.withReadLock { $0.number } == 3)
    #expect(lifetimes.alive == 1)
  }

  @Test func valuesThatAreNotSendableAreExchanged() {
    final class Box {
      var number: Int
      init(_ number: Int) { self.number = number }
    }
    let box = ExclusiveProtector(Box(1))
    let old = box.exchange(Box(2))
    old.number += 10
    #expect(old.number == 11)
    #expect(box.withWriteLock { $0.number } == 2)
  }

  /// The old value's deinit takes the same protector: it runs after the unlock, or this would trap.
  @Test func theOldValueEndsOutsideTheSection() {
    let seen = RelaxedCounter()
    let object = Protector<Caller?>(nil)
    let makeCaller: @Sendable () -> Caller = { Caller { object.withWriteLock { _ in _ = seen.add(1) } } }
    // Discarded at once, kept for a moment, and from a section that computes the new value.
    object.exchange(makeCaller())
    object.exchange(makeCaller())
    #expect(seen.value == 1)
    let old = object.exchange(nil)
    #expect(seen.value == 1)
    withExtendedLifetime(old) {}
    object.exchange { _ in makeCaller() }
    object.exchange { _ in nil }
    #expect(object.snapshot == nil)
  }

  /// A write section that returns the value it replaced does not destroy it either.
  @Test func aWriteSectionCanReturnWhatItReplaced() {
    let seen = RelaxedCounter()
    let object = Protector<Caller?>(nil)
    object.exchange(Caller { object.withReadLock { _ in _ = seen.add(1) } })
    _ = object.withWriteLock { value in
      let old = value
      value = nil
      return old
    }
    #expect(seen.value == 1)
  }

  @Test func theSameWithTheOtherLocks() {
    let seen = RelaxedCounter()
    let unfair = ExclusiveProtector<Caller?>(nil)
    let dispatch = LockProtector<Caller?, _>(nil, lock: DispatchReadWriteLock())
    unfair.exchange(Caller { unfair.withWriteLock { _ in _ = seen.add(1) } })
    unfair.exchange(nil)
    dispatch.exchange(Caller { dispatch.withWriteLock { _ in _ = seen.add(1) } })
    dispatch.exchange(nil)
    #expect(seen.value == 2)
  }

  @Test func aSnapshotStaysAsItWas() {
    let numbers = Protector([1, 2, 3])
    let snapshot = numbers.snapshot
    numbers.withWriteLock { $0.append(4) }
    #expect(snapshot == [1, 2, 3])
    #expect(numbers.snapshot == [1, 2, 3, 4])
  }
}

/// What the documentation says of a replacement inside a section.
@Suite struct LockProtectorReplacingCrashTests {
  @Test func anAssignmentInASectionEndsTheOldValueThere() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let object = Protector<Caller?>(nil)
      object.exchange(Caller { object.withWriteLock { _ in } })
      object.withWriteLock { $0 = nil }
    }
    let message = Trap.message(in: result?.standardErrorContent)
    #expect(
      message?.contains("locked for writing by the thread that already holds it") == true, "\(message ?? "")")
  }
}
