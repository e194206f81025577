import Lifecycles
import LocksUnderTest
import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests threads that use locks and lifecycles while they end.
@Suite struct ThreadExitTests {
  @Test(arguments: ThrowingCall.withoutPool)
  func everyCallWorksAtTheEndOfAThread(call: ThrowingCall) {
    let end = ThreadEnd()
    let found = Unguarded<[String]>(["it was not called"])
    onAnotherThread {
      call.use()
      end.whenThisThreadEnds { found.value = call.complaints(number: 1) }
    }
    #expect(found.value == [])
  }

  @Test func endingThreadsReadWriteAndDeliver() {
    let subject = EndingThreadSubject()
    let end = ThreadEnd()
    for usesBefore in [false, true] {
      // ThreadSanitizer has forgotten the thread in the third and fourth rounds of destructors, so tests with
      // the sanitizer run only two rounds.
      for rounds in 1...(Sanitizer.isThreadSanitizerActive ? 2 : 4) {
        let writes = subject.writes
        PlatformThread {
          if usesBefore { subject.use() }
          end.whenThisThreadEnds(rounds: rounds) { subject.use() }
        }.join()
        let used = subject.writes - writes
        #expect(used == rounds + (usesBefore ? 1 : 0))
      }
    }
    #expect(subject.isRight)
    subject.lifecycle.invalidate()
  }

  /// Writers and invalidating threads scan the `SlotTable` while other threads begin and end.
  ///
  /// The ending threads use locks and lifecycles in the destructors of their thread-specific data.
  @Test func threadsEndWhileSlotsAreScanned() {
    let rounds = StressSize.pick(quick: 150, full: 5_000)
    let subject = EndingThreadSubject()
    let end = ThreadEnd()
    let isOver = RelaxedFlag()
    race(threads: 4) { index in
      switch index {
      case 0:
        while !isOver.isSet { subject.write() }
      case 1:
        while !isOver.isSet {
          let lifecycle = subject.lifecycle
          let other = Lifecycle(label: "ThreadExitTests")
          other.activate()
          let delivery = PlatformThread {
            end.whenThisThreadEnds { other.whileActive { lifecycle.whileActive {} } }
            other.whileActive { lifecycle.whileActive {} }
          }
          other.invalidate()
          delivery.join()
        }
      default:
        for _ in 0..<rounds {
          PlatformThread {
            end.whenThisThreadEnds(rounds: 2) { subject.use() }
            subject.use()
          }.join()
        }
        if index == 3 { isOver.set() }
      }
    }
    #expect(subject.isRight)
    subject.lifecycle.invalidate()
  }
}

/// The locks and the lifecycle that threads use while they end.
///
/// Each call of `use()` acquires both locks for reading, inside a body of `lifecycle.whileActive`. Then it
/// acquires `lock` for writing.
private final class EndingThreadSubject: Sendable {
  let lock = BoxedLock(BiasedReadWriteLock(bias: .slots))
  let lifecycle = Lifecycle(label: "ThreadExitTests")

  private let other = BiasedReadWriteLock()
  private let twins = Twins()
  private let misses = RelaxedCounter()

  init() {
    lifecycle.activate()
  }

  var writes: Int { lock.withReadLock { twins.count } }

  var isRight: Bool { misses.value == 0 && lock.withReadLock { twins.agree() } }

  func write() {
    lock.withWriteLock { twins.change() }
  }

  func use() {
    let agree = lifecycle.whileActive { other.withReadLock { lock.withReadLock { twins.agree() } } }
    if agree != true { misses.add(1) }
    write()
  }
}
