import CInterlock
import InterlockCore
import Protectors
import TestSupport
import Testing

@testable import Jobs

#if os(Linux)
  import CForking
#endif

/// A thread that ends while a test looks at it would be a matter of time.
private let unlimited = Duration.seconds(1_000)

private func waitForIdleThreads(_ count: Int, of threads: JobThreads) {
  while threads.idleCount != count { PlatformThread.yield() }
}

@Suite struct JobThreadsTests {
  /// Runs `body` on a thread of `threads`, waits for it, and then for the thread to be idle.
  private func run(_ threads: JobThreads, idle: Int = 1, _ body: @escaping @Sendable () -> Void) {
    let ended = Signal()
    #expect(
      threads.run {
        body()
        ended.send()
      })
    ended.wait()
    waitForIdleThreads(idle, of: threads)
  }

  private final class Starts: Sendable {
    let number = Protector(0)
    let ended = Protector(0)

    func start(_ work: @escaping @Sendable () -> Void) -> Bool {
      number.withWriteLock { $0 += 1 }
      return PlatformThread.startDetached {
        work()
        self.ended.withWriteLock { $0 += 1 }
      }
    }
  }

  @Test func aThreadRunsOneWorkAfterAnother() {
    let starts = Starts()
    let threads = JobThreads(idleTime: unlimited, start: starts.start)
    let seen = ExclusiveProtector<Set<UInt>>([])
    for _ in 0..<10 { run(threads) { seen.withLock { _ = $0.insert(PlatformThread.current) } } }
    #expect(starts.number.value == 1)
    #expect(seen.withLock { $0.count } == 1)
  }

  @Test func workWaitsForNoOtherWork() {
    let starts = Starts()
    let threads = JobThreads(idleTime: unlimited, start: starts.start)
    run(threads) {}
    let all = MeetingPoint(parties: 4)
    for _ in 0..<3 { #expect(threads.run { all.meet() }) }
    all.meet()
    waitForIdleThreads(3, of: threads)
    #expect(starts.number.value == 3)
  }

  @Test func anIdleThreadHoldsNothing() {
    let threads = JobThreads(idleTime: unlimited)
    let lifetimes = Lifetimes()
    do {
      let token = Tracked(lifetimes)
      run(threads) { _ = token.number }
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func anIdleThreadEnds() {
    let starts = Starts()
    let threads = JobThreads(idleTime: .zero, start: starts.start)
    for number in 1...3 {
      #expect(threads.run {})
      starts.ended.withReadLock(waitingUntil: { $0 == number }) { _ in }
    }
    #expect(starts.number.value == 3)
  }

  @Test func aRefusedThreadIsReported() {
    let threads = JobThreads { _ in false }
    #expect(!threads.run { Issue.record("it has run") })
  }

  @Test func threadsHaveTheSignalMaskOfTheirCallers() {
    let blocked: UInt64 = 1 << UInt64(SIGUSR1 - 1)
    let threads = JobThreads(idleTime: unlimited)
    let masks = Protector<[UInt64]>([])
    let expected = ExclusiveProtector<[UInt64]>([])
    withThreads(1) { _ in
      let own = interlock_signal_mask()
      expected.withLock { $0 = [own, own | blocked, own & ~blocked] }
      for (idle, mask) in [(1, own), (2, own | blocked), (2, own & ~blocked)] {
        interlock_set_signal_mask(mask)
        run(threads, idle: idle) {
          masks.withWriteLock { $0.append(interlock_signal_mask()) }
          interlock_set_signal_mask(interlock_signal_mask() ^ blocked)
        }
      }
    }
    #expect(masks.value == expected.withLock { $0 })
  }

  #if os(Linux)
    /// A C function can't capture it.
    private static let forked = JobThreads(idleTime: unlimited)

    /// A child made by `fork` has only the thread that called `fork`.
    @Test func aForkedChildStartsThreadsOfItsOwn() async {
      await #expect(processExitsWith: .success) {
        // Not on a thread of the pool: the child unblocks a signal that those block, and had another signal mask.
        withThreads(1) { _ in
          let hasRun = Signal()
          precondition(Self.forked.run { hasRun.send() })
          hasRun.wait()
          waitForIdleThreads(1, of: Self.forked)
          let status = in_forked_child {
            let ended = Signal()
            guard Self.forked.run({ ended.send() }) else { return 1 }
            ended.wait()
            return 7
          }
          precondition(status == 7, "the child ended with \(status)")
        }
      }
    }
  #endif
}
