import Lifecycles
import LocksUnderTest
import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Threads that end: their records of what they read and deliver to are freed, and made again for what runs after that.
@Suite struct ThreadExitTests {
  /// When, in the end of a thread, something runs.
  enum Moment: String, CaseIterable, Codable, Sendable {
    /// The thread's record is there.
    case before
    /// The thread's record has been freed.
    case after
  }

  /// Calls after the thread's record was freed.
  @Test(arguments: ThrowingCall.withoutPool)
  func everyCallWorksAtTheEndOfAThread(call: ThrowingCall) {
    // The records have their place now.
    onAnotherThread { BiasedReadWriteLock(bias: .asymmetric).withReadLock {} }
    let end = ThreadEnd()
    let found = Unguarded<[String]>(["it was not called"])
    onAnotherThread {
      call.use()
      end.whenThisThreadEnds { found.value = call.complaints(number: 1) }
    }
    #expect(found.value == [])
  }

  /// In a process of its own, as other tests have threads too.
  @Test(arguments: Moment.allCases, [false, true])
  func recordsAreMadeAgainAndFreed(moment: Moment, isFenced: Bool) async {
    await #expect(processExitsWith: .success) { [moment = moment as Moment, isFenced = isFenced as Bool] in
      // What is made first comes first.
      let early = ThreadEnd()
      let subject = EndingThreadSubject(isFenced: isFenced)
      subject.use()
      let end = moment == .before ? early : ThreadEnd()
      let recordsBefore = BiasedReadWriteLock.recordCount
      precondition(recordsBefore <= 1, "\(recordsBefore) records before")
      for usesBefore in [false, true] {
        // In the fourth round, in which the records of the third are freed, ThreadSanitizer knows the thread no more.
        for rounds in 1...(Sanitizer.isThreadSanitizerActive ? 2 : 3) {
          let writes = subject.writes
          PlatformThread {
            if usesBefore { subject.use() }
            end.whenThisThreadEnds(rounds: rounds) { subject.use() }
          }.join()
          let used = subject.writes - writes
          precondition(used == rounds + (usesBefore ? 1 : 0), "\(used) uses")
          let left = BiasedReadWriteLock.recordCount - recordsBefore
          precondition(left == 0, "\(left) records left after \(rounds) rounds")
        }
      }
      subject.lifecycle.invalidate()
    }
  }

  /// Writers and threads that invalidate walk over records, while threads end and begin, and read in their end.
  @Test(arguments: [false, true])
  func threadsEndWhileRecordsAreLookedAt(isFenced: Bool) async {
    await #expect(processExitsWith: .success) { [isFenced = isFenced as Bool] in
      let rounds = StressSize.pick(quick: 150, full: 5_000)
      let subject = EndingThreadSubject(isFenced: isFenced)
      subject.use()
      let end = ThreadEnd()
      let isOver = RelaxedFlag()
      let recordsBefore = BiasedReadWriteLock.recordCount
      race(threads: 4) { index in
        switch index {
        case 0:
          reportActivity("writes")
          while !isOver.isSet {
            subject.write()
            // Readers shall find their slots open.
            for _ in 0..<BiasedReadWriteLock.readsInRowAtMost { subject.lock.withReadLock {} }
          }
        case 1:
          reportActivity("invalidates")
          while !isOver.isSet {
            let lifecycle = subject.lifecycle
            let other = Lifecycle("ThreadExitTests", isFenced: isFenced)
            other.activate()
            let delivery = PlatformThread {
              end.whenThisThreadEnds { other.whileActive { lifecycle.whileActive {} } }
              other.whileActive { lifecycle.whileActive {} }
            }
            other.invalidate()
            delivery.join()
          }
        default:
          reportActivity("begins and ends threads")
          for _ in 0..<rounds {
            PlatformThread {
              end.whenThisThreadEnds(rounds: 2) { subject.use() }
              subject.use()
            }.join()
          }
          if index == 3 { isOver.set() }
        }
      }
      let left = BiasedReadWriteLock.recordCount - recordsBefore
      precondition(left == 0, "\(left) records left")
      precondition(subject.isRight)
      subject.lifecycle.invalidate()
    }
  }

  /// The system goes round four times and no more.
  ///
  /// A record that is made in the last round, after the records were freed, stays; empty, so that it is in nobody's way.
  @Test(.enabled(if: !Sanitizer.isActive, "the sanitizer has given up the thread by then"))
  func aRecordOfTheLastRoundIsInNobodysWay() async {
    await #expect(processExitsWith: .success) {
      let subject = EndingThreadSubject(isFenced: false)
      subject.use()
      let end = ThreadEnd()
      let recordsBefore = BiasedReadWriteLock.recordCount
      for _ in 0..<10 {
        PlatformThread {
          end.whenThisThreadEnds(rounds: 10) { subject.use() }
        }.join()
        onAnotherThread { subject.use() }
      }
      let left = BiasedReadWriteLock.recordCount - recordsBefore
      precondition(left <= 10, "\(left) records left")
      precondition(subject.isRight)
      subject.lifecycle.invalidate()
    }
  }
}

/// What threads use in their end: reads that are in slots and nested, writes that wait for those, and deliveries.
private final class EndingThreadSubject: Sendable {
  let lock: BoxedLock<BiasedReadWriteLock>
  let lifecycle: Lifecycle

  private let other = BiasedReadWriteLock()
  private let twins = Twins()
  private let misses = RelaxedCounter()

  init(isFenced: Bool) {
    lock = BoxedLock(BiasedReadWriteLock(bias: isFenced ? .fenced : .asymmetric))
    lifecycle = Lifecycle("ThreadExitTests", isFenced: isFenced)
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
