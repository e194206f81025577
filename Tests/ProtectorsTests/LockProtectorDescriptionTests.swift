import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that a description never blocks, because a debugger or a log statement may ask for it at any time.
@Suite struct LockProtectorDescriptionTests {
  /// Returns all descriptions of a protector in one string.
  private static func describe<Lock: ~Copyable>(_ protector: GuardedValue<Int, Lock>) -> String {
    var text = "\(protector)|\(protector.debugDescription)|\(String(reflecting: protector))|"
    dump(protector, to: &text)
    text += "|\(Mirror(reflecting: protector).children.count)"
    return text
  }

  @Test func namesTheType() {
    let number = Protector(4711)
    #expect(number.debugDescription == "LockProtector<Int, BiasedReadWriteLock>")
    let exclusive = ExclusiveProtector(4711)
    #expect(exclusive.debugDescription == "ExclusiveProtector<Int>")
    let token = ExclusiveProtector(TrackedToken(Lifetimes()))
    #expect(token.debugDescription == "ExclusiveProtector<TrackedToken>")
  }

  @Test func doesNotBlockInsideASection() {
    let free = Self.describe(Protector(1))
    let number = Protector(1)
    let (inWrite, inRead) = onAnotherThread {
      // This thread holds the lock, so a description that acquired it would trap or deadlock.
      (
        number.withWriteLock { _ in Self.describe(number) },
        number.withReadLock { _ in Self.describe(number) }
      )
    }
    #expect(inWrite == free)
    #expect(inRead == free)

    let exclusive = ExclusiveProtector(1)
    let inExclusive = onAnotherThread { exclusive.withLock { _ in Self.describe(exclusive) } }
    #expect(inExclusive == Self.describe(exclusive))
  }
}
