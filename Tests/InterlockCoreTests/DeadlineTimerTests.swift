@testable import InterlockCore
@testable import InterlockServices
@testable import InterlockTasks
@testable import InterlockWaits
import Foundation
import TestSupport
import Testing

/// Tests the timer and its heap.
@Suite struct DeadlineTimerTests {
  private func entry(_ nanoseconds: UInt64, _ expire: @escaping @Sendable () -> Void = {})
    -> DeadlineTimer.Entry
  {
    DeadlineTimer.Entry(Deadline(nanoseconds: nanoseconds), expire)
  }

  /// In a heap of three entries, the last one may be the earliest child.
  @Test(arguments: [[1, 3, 2, 4], [1, 2, 3, 4], [1, 4, 2, 3, 5], [1, 4, 2, 5, 6, 3]])
  func entriesLeaveInTheirOrder(deadlines: [UInt64]) {
    var heap = DeadlineHeap()
    for deadline in deadlines { heap.insert(entry(deadline)) }
    var left: [UInt64] = []
    while let first = heap.first {
      left.append(first.deadline)
      let wasThere = heap.remove(first)
      #expect(wasThere)
    }
    #expect(left == deadlines.sorted())
  }

  /// The first entry of the heap is always the earliest, even after removals of random entries.
  @Test func theEarliestDeadlineIsFirst() {
    var random = Seed.current.generator(stream: 1)
    var heap = DeadlineHeap()
    var model: [DeadlineTimer.Entry] = []
    for _ in 0..<3_000 {
      // In a small heap, hardly any removal has to move an entry up.
      if model.count < 100 || random.happens(percent: 50) {
        let entry = entry(random.next() % 100)
        heap.insert(entry)
        model.append(entry)
      } else {
        let entry = model.remove(at: Int(random.next() % UInt64(model.count)))
        let wasThere = heap.remove(entry)
        let isThere = heap.remove(entry)
        #expect(wasThere && !isThere)
      }
      #expect(heap.first?.deadline == model.map(\.deadline).min(), "\(Seed.current)")
    }
    while let first = heap.first {
      #expect(first.deadline == model.map(\.deadline).min())
      model.removeAll { $0 === first }
      let wasThere = heap.remove(first)
      #expect(wasThere)
    }
    #expect(model.isEmpty)
  }

  /// A service whose threads never run.
  private static var stopped: ServiceThread { ServiceThread { _ in true } }

  private func expireFirst(_ timer: DeadlineTimer) {
    guard case .call(let expire, _) = timer.next() else {
      Issue.record("no deadline has passed")
      return
    }
    expire()
  }

  @Test func deadlinesThatHavePassedExpireInTheirOrder() {
    let timer = DeadlineTimer(Self.stopped)
    let order = Monitor<[UInt64]>([])
    for deadline in [3, 1, 2] as [UInt64] {
      timer.schedule(entry(deadline) { order.enter { $0.append(deadline) } })
    }
    for _ in 0..<3 { expireFirst(timer) }
    #expect(order.enter { $0 } == [1, 2, 3])
  }

  @Test func aCancelledDeadlineDoesNotExpire() {
    let timer = DeadlineTimer(Self.stopped)
    let expired = RelaxedCounter()
    let cancelled = entry(1) { expired.add(1) }
    timer.schedule(cancelled)
    timer.schedule(entry(2) { expired.add(10) })
    timer.cancel(cancelled)
    timer.cancel(cancelled)
    expireFirst(timer)
    #expect(expired.value == 10)
  }

  /// While the timer's thread sleeps until a late deadline, scheduling an earlier one must wake it.
  @Test func anEarlierDeadlineEndsTheSleep() async {
    let late = DeadlineTimer.Entry(Deadline(after: .seconds(3600))) {}
    DeadlineTimer.shared.schedule(late)
    for _ in 0..<20 {
      // The thread sleeps again meanwhile.
      MonotonicClock.sleep(.milliseconds(2))
      await withCheckedContinuation { continuation in
        DeadlineTimer.shared.schedule(
          DeadlineTimer.Entry(Deadline(after: .microseconds(200))) { continuation.resume() })
      }
    }
    DeadlineTimer.shared.cancel(late)
  }

  @Test func theThreadLeavesSignalsToTheProgram() async {
    let timer = DeadlineTimer(ServiceThread(idleTime: .milliseconds(1)))
    let leaves = await withCheckedContinuation { continuation in
      timer.schedule(entry(1) { continuation.resume(returning: leavesSignals) })
    }
    #expect(leaves)
  }

  /// The timer must hold no lock while it runs or destroys an entry's function, which may use the timer.
  @Test func anEntryMayUseTheTimer() async {
    final class Owner: Sendable {
      let entry: DeadlineTimer.Entry
      init(_ entry: DeadlineTimer.Entry) { self.entry = entry }
      deinit { DeadlineTimer.shared.cancel(entry) }
    }
    await withCheckedContinuation { continuation in
      let owner = Owner(entry(1))
      DeadlineTimer.shared.schedule(
        DeadlineTimer.Entry(Deadline(nanoseconds: 1)) {
          DeadlineTimer.shared.cancel(owner.entry)
          continuation.resume()
        })
    }
    let owner = Owner(entry(1))
    let other = DeadlineTimer.Entry(Deadline(after: .seconds(3600))) { _ = owner }
    DeadlineTimer.shared.schedule(other)
    DeadlineTimer.shared.cancel(other)
  }

  /// An entry's function may block, for example because it resumes a task that runs on the timer's thread.
  ///
  /// Other entries must expire nevertheless, whether they were added before the function began or after.
  @Test(arguments: [false, true]) func aFunctionThatBlocksDelaysNoOtherForLong(isAddedLate: Bool) {
    let service = ServiceThread(idleTime: .milliseconds(1))
    let timer = DeadlineTimer(service)
    let hasBegun = Signal()
    let hasExpired = Signal()
    let mayEnd = (Signal(), Signal())
    let later = DeadlineTimer.Entry(Deadline(after: .milliseconds(isAddedLate ? 0 : 1))) {
      hasExpired.send()
      mayEnd.1.wait()
    }
    if !isAddedLate { timer.schedule(later) }
    timer.schedule(
      entry(1) {
        hasBegun.send()
        mayEnd.0.wait()
      })
    hasBegun.wait()
    if isAddedLate { timer.schedule(later) }
    hasExpired.wait()
    let third = Signal()
    timer.schedule(entry(1) { third.send() })
    third.wait()
    mayEnd.0.send()
    mayEnd.1.send()
    while service.hasThread { PlatformThread.yield() }
  }

  /// Expiries that are far apart must not each start a thread that guards the timer's thread.
  @Test(arguments: [false, true]) func expiriesShareTheThreads(areBlocked: Bool) {
    let started = RelaxedCounter()
    let service = ServiceThread(idleTime: .seconds(3600)) { body in
      started.add(1)
      return PlatformThread.startService(body)
    }
    let timer = DeadlineTimer(service)
    let late = DeadlineTimer.Entry(Deadline(after: .seconds(3600))) {}
    timer.schedule(late)
    for _ in 0..<20 {
      let hasExpired = Signal()
      let mayEnd = Signal()
      timer.schedule(
        entry(1) {
          hasExpired.send()
          if areBlocked { mayEnd.wait() }
        })
      hasExpired.wait()
      // The guard becomes the watcher while the function blocks, and finds the watcher idle otherwise.
      while service.isGuarded { PlatformThread.yield() }
      mayEnd.send()
      while !service.hasIdleGuard { PlatformThread.yield() }
    }
    timer.cancel(late)
    #expect(started.value == 2)
  }

  /// Tasks need the threads of libdispatch, too, so a service keeps one for an interval, and tries to start its own again.
  @Test func aThreadOfLibdispatchServesForAnInterval() {
    let attempts = Monitor(0)
    let isOver = AtomicWord()
    let service = ServiceThread { _ in
      attempts.enter { $0 += 1 }
      return false
    }
    service.request { isOver.load(.acquiring) == 0 ? .sleep(until: .never) : .rest }
    attempts.enter(when: { $0 >= 3 }, { _ in })
    isOver.store(1, .releasing)
    while service.hasThread { PlatformThread.yield() }
  }

  #if os(Linux)
    /// The system refuses a thread for the timer, and all threads of the pool but one are blocked.
    @Test(.enabled(if: !Sanitizer.isActive, "a sanitizer needs more memory than the limit leaves"))
    func aTimeoutPassesWithoutANewThread() async {
      await #expect(processExitsWith: .success) {
        let count = Processors.count
        let meeting = MeetingPoint(parties: count)
        await withTaskGroup { group in for _ in 0..<count { group.addTask { meeting.meet() } } }
        let size = rlim_t(ResidentMemory.addressSpace + 1 << 20)
        var limit = rlimit(rlim_cur: size, rlim_max: size)
        precondition(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
        precondition(!PlatformThread.startDetached {})

        @Sendable func sleep(for duration: Duration) async {
          let queue = TaskWaiterQueue()
          let waiter = TaskWaiter()
          queue.withList { $0.append(waiter) }
          _ = await queue.wait(waiter, unlessCancelledUntil: Deadline(after: duration))
        }
        await sleep(for: .milliseconds(10))
        let sleeper = Task.detached { await sleep(for: .seconds(3600)) }
        await sleep(for: .milliseconds(10))
        // Who opens the gates gets the last thread.
        let gates = (1..<count).map { _ in Signal() }
        let blocked = gates.map { gate in Task.detached { gate.wait() } }
        await Task.detached { for gate in gates { gate.send() } }.value
        for task in blocked { await task.value }
        sleeper.cancel()
        await sleeper.value
      }
    }
  #endif

  @Test func theThreadEndsWithoutDeadlinesAndComesBack() {
    let service = ServiceThread(idleTime: .milliseconds(1))
    let timer = DeadlineTimer(service)
    for _ in 0..<3 {
      let hasExpired = Signal()
      let cancelled = DeadlineTimer.Entry(Deadline(after: .milliseconds(1))) {}
      timer.schedule(cancelled)
      timer.schedule(entry(1) { hasExpired.send() })
      hasExpired.wait()
      timer.cancel(cancelled)
      while service.hasThread { PlatformThread.yield() }
    }
  }
}
