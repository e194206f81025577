import Jobs
import Protectors
import TestSupport
import Testing

@Suite struct JoinedThreadsTests {
  @Test("each body has a thread of its own, beside the caller")
  func threadsOfTheirOwn() {
    let all = MeetingPoint(parties: 9)
    let threads = ExclusiveProtector<Set<UInt>>([PlatformThread.current])
    let joined = JoinedThreads(8) { _ in
      threads.withLock { _ = $0.insert(PlatformThread.current) }
      all.meet()
    }
    all.meet()
    joined.join()
    #expect(threads.withLock { $0.count } == 9)
  }

  @Test("join() and the end of the value wait for all bodies", arguments: [false, true])
  func waits(joins: Bool) {
    let ended = ExclusiveProtector(0)
    let lifetimes = Lifetimes()
    do {
      let token = Tracked(lifetimes)
      let threads = JoinedThreads(4) { index in
        // The threads end one after another, so a join that waited for the first ones only would return
        // early.
        ended.withLock(waitingUntil: { $0 == index }) { $0 += 1 + token.number }
      }
      if joins { threads.join() }
    }
    #expect(ended.withLock { $0 } == 4)
    #expect(lifetimes.alive == 0, "the body is released")
  }

  @Test("no thread is started for a count of 0")
  func noThreads() {
    JoinedThreads(0) { _ in Issue.record("a body ran") }.join()
  }

  @Test("a value that is detached on one of its own threads waits for none")
  func detachedByItself() {
    let ended = ExclusiveProtector(0)
    let threads = ExclusiveProtector<Held?>(nil)
    let isStored = Signal()
    let held = Held(
      JoinedThreads(2) { index in
        if index == 0 {
          isStored.wait()
          threads.withLock { $0.take() }?.detach()
        }
        ended.withLock { $0 += 1 }
      })
    threads.withLock { $0 = held }
    isStored.send()
    onAnotherThread { ended.withLock(waitingUntil: { $0 == 2 }) { _ in } }
    #expect(threads.withLock { $0 == nil })
  }

  /// An object that owns the threads, so that a thread's own body can detach or join them.
  final class Held: @unchecked Sendable {
    private var threads: JoinedThreads?

    init(_ threads: consuming JoinedThreads) { self.threads = consume threads }

    func detach() { threads.take()?.detach() }

    func join() { threads.take()?.join() }
  }
}
