import Protectors
import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// An object that calls a closure in `deinit`; the tests' closures use the protector that contained the
/// object.
final class Caller: Sendable {
  private let onEnd: @Sendable () -> Void

  init(onEnd: @escaping @Sendable () -> Void) {
    self.onEnd = onEnd
  }

  deinit {
    onEnd()
  }
}

/// Tests `exchange` and `value`.
@Suite struct LockProtectorReplacingTests {
  private let ended = RelaxedCounter()

  @Test func theOldValueIsReturned() {
    let text = Protector("a")
    #expect(text.exchange("b") == "a")
    #expect(text.exchange { $0 + "c" } == "b")
    #expect(text.value == "bc")
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
    #expect(box.withLock { $0.number } == 2)
  }

  // MARK: A deinit that takes the same protector, with every lock

  /// How the deinit of a replaced object uses the protector.
  private enum Use: CaseIterable, Sendable {
    case read, write, exchange

    func use(_ object: any ProtectedValue<Caller?>) {
      switch self {
      case .read: object.withReadLock { _ in }
      case .write: object.withWriteLock { _ in }
      case .exchange: _ = object.exchange(nil)
      }
    }
  }

  @Test(arguments: ProtectorUnderTest.allCases, Use.allCases)
  private func aDeinitMayUseTheProtector(candidate: ProtectorUnderTest, use: Use) {
    let object = candidate.protect(Caller?.none)
    @Sendable func put() {
      _ = object.exchange(
        Caller {
          use.use(object)
          ended.add(1)
        })
    }
    put()
    _ = object.exchange(nil)
    #expect(ended.value == 1)
    put()
    _ = object.withWriteLock { value in
      let old = value
      value = nil
      return old
    }
    #expect(ended.value == 2)
    put()
    _ = object.withWriteLock { $0.take() }
    #expect(ended.value == 3)
  }

  /// The end of a write must first wake the threads whose predicates now hold, and then destroy the replaced
  /// object.
  ///
  /// The object's `deinit` waits for such a thread, so the opposite order would hang.
  @Test(arguments: ProtectorUnderTest.waiting)
  func waitingThreadsAreWokenBeforeTheDeinit(candidate: ProtectorUnderTest) {
    let object = candidate.protectForWaits(Caller?.none)
    let isWoken = Signal()
    let looks = RelaxedCounter()
    _ = object.exchange(Caller { isWoken.wait() })
    concurrently(
      {
        let isNil = object.withReadLock(
          waitingUntil: { looks.counting($0 == nil) }, timeout: nil
        ) { $0 == nil }
        #expect(isNil == true)
        isWoken.send()
      },
      {
        while looks.value < candidate.evaluationsOfReader { PlatformThread.yield() }
        _ = object.exchange(nil)
      })
  }

  @Test func partsOfAValueEndOutsideTheSection() {
    struct State: Sendable {
      var callers: [Caller] = []
      var last: Caller?
    }
    let state = Protector(State())
    let makeCaller: @Sendable () -> Caller = { Caller { state.withWriteLock { _ in _ = ended.add(1) } } }
    let (first, second, third) = (makeCaller(), makeCaller(), makeCaller())
    state.withWriteLock { state in
      state.callers = [first, second]
      state.last = third
    }
    // Leaves the protector as the only owner of the objects, so that removing an object destroys it.
    _ = consume first
    _ = consume second
    _ = consume third
    state.exchange { state in
      #expect(ended.value == 0)
      return State(callers: Array(state.callers.dropFirst()))
    }
    #expect(ended.value == 2)
    #expect(state.value.callers.count == 1)
    state.exchange { _ in State() }
    #expect(ended.value == 3)
  }

  @Test func noncopyableValuesEndOutsideTheSection() {
    struct Token: ~Copyable, Sendable {
      let onEnd: (@Sendable () -> Void)?
      deinit { onEnd?() }
    }
    let token = Protector(Token(onEnd: nil))
    let exclusive = ExclusiveProtector(Token(onEnd: nil))
    token.exchange(Token { token.withReadLock { _ in _ = ended.add(1) } })
    exclusive.exchange(Token { exclusive.withLock { _ in _ = ended.add(1) } })
    token.exchange(Token(onEnd: nil))
    exclusive.exchange { _ in Token(onEnd: nil) }
    #expect(ended.value == 2)
    // The next write section swaps this token out of the protector. The token then lives until the test
    // destroys `other`.
    token.exchange(Token { token.withWriteLock { _ in _ = ended.add(1) } })
    var other = Token(onEnd: nil)
    token.withWriteLock { swap(&other, &$0) }
    #expect(ended.value == 2)
    _ = consume other
    #expect(ended.value == 3)
  }
}
