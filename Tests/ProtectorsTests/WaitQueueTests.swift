import InterlockCore
import InterlockWaits
import ReadWriteLocks
import TestSupport
import Testing
import UnfairLocks

@testable import Protectors

/// Tests which waiters the end of a write section notifies.
///
/// The tests use a queue without a protector. Most waiters have no thread; some have a thread that sleeps.
@Suite final class WaitQueueTests {
  private let group = WaitGroup(queue: 0)
  private let queue = WaitQueue()
  private var waiters: [UnsafeMutablePointer<Waiter>] = []

  deinit {
    for waiter in waiters {
      waiter.deinitialize(count: 1)
      waiter.deallocate()
    }
  }

  /// Makes a waiter, which lives as long as the test.
  private func makeWaiter(
    _ kind: Waiter.Kind = .thread, isCancellable: Bool = false, task: TaskWaiter? = nil,
    in group: WaitGroup? = nil, when evaluation: @escaping Waiter.Evaluation = { _, _ in true }
  ) -> UnsafeMutablePointer<Waiter> {
    let waiter = UnsafeMutablePointer<Waiter>.allocate(capacity: 1)
    waiter.initialize(
      to: Waiter(
        kind, isCancellable: isCancellable, task: task, group: group, primitive: Primitive(.predicate),
        // The predicates of these tests ignore this argument, so any address will do.
        predicate: UnsafeRawPointer(waiter), evaluation: evaluation))
    waiters.append(waiter)
    return waiter
  }

  private static func isOne(value: UnsafeRawPointer, _: UnsafeRawPointer) -> Bool {
    value.load(as: Int.self) == 1
  }

  private static func isTwo(value: UnsafeRawPointer, _: UnsafeRawPointer) -> Bool {
    value.load(as: Int.self) == 2
  }

  /// Returns the waiters that the end of a write section notifies if the protected value is `value`.
  private static func serve(_ queue: borrowing WaitQueue, value: Int = 0) -> [UnsafeMutablePointer<Waiter>] {
    let served = withUnsafeBytes(of: value) { queue.serve($0.baseAddress!) }
    return Array(sequence(state: served) { $0.removeFirst() })
  }

  private func serve(value: Int = 0) -> [UnsafeMutablePointer<Waiter>] { Self.serve(queue, value: value) }

  /// Queues a waiter, which must be served alone if the protected value is 1, and takes its turn.
  private func overtake(_ waiter: UnsafeMutablePointer<Waiter>) {
    queue.append(waiter)
    #expect(serve(value: 1) == [waiter])
    queue.endWait(waiter)
    waiter.pointee.isServed = false
  }

  private var isAtRest: Bool { queue.isAtRest }

  /// Runs `body` while a new thread sleeps on `waiter`, and then wakes and joins the thread.
  private static func whileAsleep(_ waiter: UnsafeMutablePointer<Waiter>, _ body: () -> Void) {
    // `nonisolated(unsafe)` is sound: the thread only sleeps on the waiter's atomic word, and this function
    // joins the thread before it returns.
    nonisolated(unsafe) let waiter = waiter
    let thread = PlatformThread {
      var attempt = AdaptiveSpin.Attempt(checksBeforeYield: 0, checksAfterYield: 0)
      _ = waiter.pointee.sleep(in: 0, until: .never, &attempt)
    }
    while !waiter.pointee.word.isAsleep { PlatformThread.yield() }
    body()
    Waiter.notify(waiter)
    thread.join()
  }

  @Test(arguments: [0, 1, 2], [0, 1, 2])
  func listsOfServedWaitersAreJoined(first: Int, second: Int) {
    let made = (0...first + second).map { _ in makeWaiter() }
    var list = Waiters()
    var other = Waiters()
    for waiter in made[..<first] { list.append(waiter) }
    for waiter in made[first..<first + second] { other.append(waiter) }
    list.append(contentsOf: other)
    list.append(made[first + second])
    #expect(Array(sequence(state: list) { $0.removeFirst() }) == made)
  }

  @Test func waitersAreServedInTheirOrder() {
    let (first, second) = (makeWaiter(), makeWaiter())
    queue.append(first)
    queue.append(second)
    #expect(serve() == [first])
    // The first writer has yet to acquire the lock, so no second writer is notified.
    #expect(serve() == [])
    queue.endWait(first)
    #expect(serve() == [second])
    queue.endWait(second)
    #expect(isAtRest)
  }

  @Test("Waiters with a deadline are counted while they are in the queue")
  func waitersWithADeadlineAreCounted() {
    let (first, second, other) = (
      makeWaiter(isCancellable: true), makeWaiter(isCancellable: true), makeWaiter()
    )
    for waiter in [first, other, second] { queue.append(waiter) }
    #expect(queue.cancellableCount == 2)
    queue.endWait(first)
    queue.endWait(other)
    #expect(queue.cancellableCount == 1)
    queue.endWait(second)
    #expect(queue.cancellableCount == 0)
  }

  @Test("A waiter that was served before its deadline has passed is not removed, but notified")
  func servedAtTheDeadline() {
    let queue = WaitQueue()
    let waiter = makeWaiter(isCancellable: true)
    queue.append(waiter)
    #expect(Self.serve(queue) == [waiter])
    // `nonisolated(unsafe)` is sound: one thread sleeps on the waiter and the other one notifies it, as
    // `Waiter` permits. `race` joins both before the waiter is freed.
    nonisolated(unsafe) let shared = waiter
    let hasLeft = RelaxedFlag()
    race(threads: 2) { index in
      if index == 0 {
        defer { hasLeft.set() }
        var attempt = AdaptiveSpin.Attempt(checksBeforeYield: 0, checksAfterYield: 0)
        let past = Timeout(.zero, for: Primitive(.predicate)).deadlineFromNow()
        let isServed = queue.sleep(shared, until: past, &attempt)
        #expect(isServed)
      } else {
        while !shared.pointee.word.isAsleep { PlatformThread.yield() }
        // Delays the notification by up to a second. A faulty `sleep`, which does not wait for notifications,
        // would return within that time.
        let end = Timeout(.seconds(1), for: Primitive(.predicate)).deadlineFromNow()
        while !hasLeft.isSet, !end.hasPassed { PlatformThread.yield() }
        #expect(!hasLeft.isSet, "the thread left before it was notified")
        Waiter.notify(shared)
      }
    }
    queue.endWait(waiter)
    let isEmpty = !queue.isNotEmpty
    #expect(isEmpty)
  }

  @Test func readersAreServedTogether() {
    let (first, second, writer) = (makeWaiter(.reader), makeWaiter(.reader), makeWaiter())
    queue.append(first)
    queue.append(writer)
    queue.append(second)
    #expect(Set(serve()) == [first, second, writer])
    queue.endWait(writer)
    #expect(isAtRest)
  }

  @Test func aThreadThatIsAwakeComesBeforeOneThatSleeps() {
    let (sleeper, reader, awake) = (makeWaiter(), makeWaiter(.reader), makeWaiter())
    queue.append(sleeper)
    queue.append(reader)
    queue.append(awake)
    Self.whileAsleep(sleeper) {
      #expect(Set(serve()) == [reader, awake])
      queue.endWait(awake)
      #expect(serve() == [sleeper])
      queue.endWait(sleeper)
    }
  }

  @Test func aThreadThatSleepsIsOvertakenSixtyFourTimes() {
    let (sleeper, awake) = (makeWaiter(), makeWaiter())
    queue.append(sleeper)
    Self.whileAsleep(sleeper) {
      for _ in 0..<2 {
        for _ in 0..<64 { overtake(awake) }
        queue.append(awake)
        #expect(serve() == [sleeper])
        queue.endWait(sleeper)
        (sleeper.pointee.isServed, sleeper.pointee.overtakings) = (false, 0)
        queue.endWait(awake)
        queue.append(sleeper)
      }
      queue.endWait(sleeper)
    }
  }

  /// Awake writers may overtake a sleeping writer at most 64 times.
  ///
  /// After each time, the test notifies another sleeping writer, with another predicate. These notifications
  /// must not count as overtaking.
  @Test func anOvertakingOfAnotherSleeperDoesNotCount() {
    let (sleeper, awake) = (makeWaiter(when: Self.isOne), makeWaiter(when: Self.isOne))
    let another = makeWaiter(when: Self.isTwo)
    queue.append(sleeper)
    queue.append(another)
    Self.whileAsleep(sleeper) {
      Self.whileAsleep(another) {
        for _ in 0..<64 {
          overtake(awake)
          #expect(serve(value: 2) == [another])
          queue.endWait(another)
          another.pointee.isServed = false
          queue.append(another)
        }
        queue.append(awake)
        #expect(serve(value: 1) == [sleeper])
        queue.endWait(sleeper)
        queue.endWait(awake)
        queue.endWait(another)
      }
    }
  }

  /// A waiter whose predicate never holds must not keep the waiters behind it from being notified.
  @Test func aWaiterWhosePredicateIsFalseDoesNotHideTheNextSleeper() {
    let (sleeper, awake) = (makeWaiter(when: Self.isOne), makeWaiter(when: Self.isOne))
    let never = makeWaiter(when: Self.isTwo)
    queue.append(never)
    queue.append(sleeper)
    Self.whileAsleep(never) {
      Self.whileAsleep(sleeper) {
        for _ in 0..<128 { overtake(awake) }
        queue.append(awake)
        #expect(serve(value: 1) == [sleeper])
        queue.endWait(sleeper)
        queue.endWait(awake)
        queue.endWait(never)
      }
    }
  }

  @Test func aSleeperIsServedIfNoOtherPredicateHolds() {
    let (sleeper, awake) = (makeWaiter(), makeWaiter { _, _ in false })
    queue.append(sleeper)
    queue.append(awake)
    Self.whileAsleep(sleeper) {
      #expect(serve() == [sleeper])
      queue.endWait(sleeper)
    }
    queue.endWait(awake)
  }

  // MARK: A served thread

  private let lock = CompactReadWriteLock()

  private var isFree: Bool { lock.withWriteLockIfAvailable {} != nil }

  private func acquireReserved() -> Bool {
    lock.beginServedAccess(until: .never, for: .compact)
  }

  /// The waiter of a thread whose predicate is true if the value equals 1, queued and served.
  private func makeServedThread(isCancellable: Bool = false) -> UnsafeMutablePointer<Waiter> {
    let thread = makeWaiter(isCancellable: isCancellable, when: Self.isOne)
    queue.append(thread, reserving: lock.reservable())
    #expect(serve(value: 1) == [thread])
    // It was awake. Served in vain once, which counts, it is watched from now on.
    queue.queueAgain(thread)
    #expect(serve(value: 1) == [thread])
    return thread
  }

  /// Ends a section in which the value becomes 0, and one in which it becomes 1 again; returns whether the lock is
  /// reserved then.
  private func isReservedAfterOvertaking() -> Bool {
    lock.withWriteLock { #expect(serve(value: 0) == []) }
    #expect(isFree)
    lock.withWriteLock { #expect(serve(value: 1) == []) }
    return !isFree
  }

  /// The overtakings while the thread is on its way to the lock count as well.
  @Test func aServedThreadIsOvertakenSixtyFourTimes() {
    let thread = makeServedThread()
    #expect((1...64).first { _ in isReservedAfterOvertaking() } == 63)
    let isIn = acquireReserved()
    #expect(isIn)
    queue.endWait(thread)
    lock.endAccess(for: .compact)
    #expect(isFree)
    #expect(isAtRest)
  }

  /// Being served in vain does not make the count begin again.
  @Test func aThreadServedInVainKeepsItsCount() {
    let thread = makeServedThread()
    for _ in 0..<63 {
      #expect(isFree)
      lock.withWriteLock {
        #expect(serve(value: 0) == [])
        queue.queueAgain(thread)
        #expect(serve(value: 0) == [])
      }
      lock.withWriteLock { #expect(serve(value: 1) == [thread]) }
    }
    #expect(!isFree)
    let isIn = acquireReserved()
    #expect(isIn)
    queue.endWait(thread)
    lock.endAccess(for: .compact)
    #expect(isAtRest)
  }

  /// A section that leaves the predicate true overtakes nobody.
  @Test func aSectionThatTakesNothingIsNoOvertaking() {
    let thread = makeServedThread()
    lock.withWriteLock { for _ in 0..<200 { #expect(serve(value: 1) == []) } }
    lock.withWriteLock { for _ in 0..<200 { #expect(serve(value: 0) == []) } }
    #expect(isFree)
    queue.endWait(thread)
    #expect(isAtRest)
  }

  /// A thread may not give up while the lock is reserved for it.
  @Test func aThreadWithAReservationDoesNotGiveUp() {
    let (thread, next) = (makeServedThread(isCancellable: true), makeWaiter(when: Self.isOne))
    queue.append(next)
    #expect((1...64).contains { _ in isReservedAfterOvertaking() })
    let hasGivenUp = queue.passOn(thread)
    #expect(!hasGivenUp)
    let isIn = acquireReserved()
    #expect(isIn)
    queue.endWait(thread)
    #expect(serve(value: 1) == [next])
    lock.endAccess(for: .compact)
    queue.endWait(next)
    #expect(isAtRest)
  }

  /// A reservation ends with a service in vain: in the next one, which another thread has passed on, it may give up.
  @Test func aReservationEndsWithAServiceInVain() {
    let (thread, other) = (
      makeServedThread(isCancellable: true), makeWaiter(isCancellable: true, when: Self.isTwo)
    )
    #expect((1...64).contains { _ in isReservedAfterOvertaking() })
    let isIn = acquireReserved()
    #expect(isIn)
    queue.queueAgain(thread)
    queue.append(other)
    #expect(serve(value: 2) == [other])
    lock.endAccess(for: .compact)
    let hasPassedOn = queue.passOn(other)
    let isServed = thread.pointee.isServed
    #expect(hasPassedOn && isServed)
    let hasGivenUp = queue.passOn(thread)
    #expect(hasGivenUp)
    #expect(isAtRest)
  }

  /// Who was served in vain may give up as before its first service.
  @Test(arguments: [false, true]) func aSecondWaitMayEndEarly(isTask: Bool) {
    let waiter = isTask ? makeTask() : makeWaiter(isCancellable: true, when: Self.isOne)
    queue.append(waiter)
    for _ in 0..<2 {
      #expect(serve(value: 1) == [waiter])
      queue.queueAgain(waiter)
      let isServed = waiter.pointee.isServed
      #expect(!isServed)
      #expect(serve(value: 0) == [])
    }
    let hasLeft = queue.waiting!.withdraw(waiter)
    #expect(hasLeft)
    #expect(isAtRest)
  }

  /// A thread whose predicate is being evaluated gives up after that, because the evaluation uses its waiter.
  @Test func aServedThreadGivesUpAfterItsEvaluation() {
    let isEvaluated = RelaxedFlag()
    let mayEnd = RelaxedFlag()
    let hasEnded = RelaxedFlag()
    let thread = makeWaiter(isCancellable: true) { value, _ in
      guard value.load(as: Int.self) == 2 else { return true }
      isEvaluated.set()
      while !mayEnd.isSet { PlatformThread.yield() }
      return true
    }
    queue.append(thread, reserving: lock.reservable())
    #expect(serve(value: 1) == [thread])
    queue.queueAgain(thread)
    #expect(serve(value: 1) == [thread])
    Waiter.notify(thread)
    // `nonisolated(unsafe)` is sound: each thread does what a writer and a waiting thread do with the waiter and the
    // queue, which outlive `race`.
    nonisolated(unsafe) let (shared, owner) = (thread, self)
    race(threads: 2) { index in
      if index == 0 {
        owner.lock.withWriteLock {
          let served = owner.serve(value: 2)
          #expect(!hasEnded.isSet)
          #expect(served == [shared])
        }
        Waiter.notify(shared)
      } else {
        while !isEvaluated.isSet { PlatformThread.yield() }
        let other = PlatformThread {
          let hasGivenUp = owner.queue.passOn(shared)
          #expect(hasGivenUp)
          hasEnded.set()
        }
        while !shared.pointee.word.isAsleep, !hasEnded.isSet { PlatformThread.yield() }
        mayEnd.set()
        other.join()
      }
    }
    #expect(isAtRest)
  }

  // MARK: Tasks

  /// Makes the waiter of a task whose predicate is true if the value equals 1.
  private func makeTask(in group: WaitGroup? = nil, writes: Bool = true) -> UnsafeMutablePointer<Waiter> {
    makeWaiter(writes ? .task : .reader, isCancellable: true, task: TaskWaiter(), in: group, when: Self.isOne)
  }

  /// Takes a served waiter's turn, as its task does, and returns the waiters that are served next.
  private func endWait(_ waiter: UnsafeMutablePointer<Waiter>) -> [UnsafeMutablePointer<Waiter>] {
    queue.endWait(waiter)
    return serve(value: 1)
  }

  /// Returns all waiters in the order in which they are served, one after the other.
  private func serveAll() -> [UnsafeMutablePointer<Waiter>] {
    var order: [UnsafeMutablePointer<Waiter>] = []
    while let waiter = serve(value: 1).first {
      order.append(waiter)
      queue.endWait(waiter)
    }
    return order
  }

  @Test func tasksAreServedOneAtATimeAndBesideAThread() {
    let (first, second, thread) = (makeTask(), makeTask(), makeWaiter())
    for waiter in [first, second] { queue.append(waiter) }
    #expect(serve(value: 1) == [first])
    #expect(queue.cancellableCount == 1)
    queue.append(thread)
    #expect(serve(value: 1) == [thread])
    #expect(endWait(thread) == [])
    #expect(endWait(first) == [second])
    #expect(endWait(second) == [])
    #expect(isAtRest)
  }

  @Test func aTaskThatWasServedInVainReturnsToTheFront() {
    let (first, single) = (makeTask(in: group), makeTask())
    let others = (0..<2).map { _ in makeTask(in: group) }
    for waiter in [first, single] + others { queue.append(waiter) }
    for _ in 0..<3 {
      #expect(serve(value: 1) == [first])
      queue.queueAgain(first)
      #expect(queue.cancellableCount == 4)
      #expect(serve(value: 0) == [])
    }
    #expect(serveAll() == [first, single] + others)
  }

  @Test func groupsAndSingleTasksTakeTurns() {
    let members = (0..<4).map { _ in makeTask(in: group) }
    let singles = (0..<2).map { _ in makeTask() }
    for waiter in members + singles { queue.append(waiter) }
    #expect(serveAll() == [members[0], singles[0], singles[1], members[1], members[2], members[3]])
  }

  /// When the first waiter of a group withdraws, the next one takes its place before later single waiters.
  @Test(arguments: [0, 1, 2, 3]) func whoWithdrawsFromAGroupLeavesTheOrderAsItIs(leaving: Int) {
    let members = (0..<3).map { _ in makeTask(in: group) }
    let single = makeTask()
    let all = [members[0], single, members[1], members[2]]
    for waiter in all { queue.append(waiter) }
    let results = (0..<2).map { _ in queue.waiting!.withdraw(all[leaving]) }
    #expect(results == [true, false])
    #expect(queue.cancellableCount == 3)
    // The group's first waiter has its place before `single`, and then moves behind it.
    let expected = leaving == 0 ? [members[1], single, members[2]] : all.filter { $0 != all[leaving] }
    #expect(serveAll() == expected)
  }

  /// A queue at the address of an earlier one counts the calls of `serve` anew.
  @Test func aGroupForgetsTheEvaluationsOfAnEarlierQueue() {
    let earlier = WaitQueue()
    let later = WaitQueue()
    let waiter = makeTask(in: group)
    earlier.append(waiter)
    #expect(Self.serve(earlier, value: 0) == [])
    earlier.endWait(waiter)
    later.append(waiter)
    #expect(Self.serve(later, value: 1) == [waiter])
    later.endWait(waiter)
  }

  @Test func allReadersOfAGroupAreServedTogether() {
    let members = (0..<3).map { _ in makeTask(in: group, writes: false) }
    let writer = makeTask(in: group)
    let single = makeTask(writes: false)
    let all = [members[0], single, writer, members[1], members[2]]
    for waiter in all { queue.append(waiter) }
    #expect(serve(value: 1) == members + [single, writer])
    #expect(endWait(writer) == [])
    #expect(isAtRest)
  }

  /// The number of calls, of 100, that may go ahead of a served task.
  private func overtakings() -> Int {
    var count = 0
    for _ in 0..<100 where queue.overtakeIfPermitted() { count += 1 }
    return count
  }

  @Test func aServedTaskIsOvertakenSixtyFourTimes() {
    let (first, second) = (makeTask(), makeTask())
    #expect(overtakings() == 100)
    queue.append(first)
    queue.append(second)
    #expect(overtakings() == 100)
    _ = serve(value: 1)
    #expect(overtakings() == 64)
    // Being served in vain doesn't make the count begin again.
    queue.queueAgain(first)
    #expect(overtakings() == 100)
    #expect(serve(value: 1) == [first])
    #expect(overtakings() == 0)
    #expect(endWait(first) == [second])
    #expect(overtakings() == 64)
    queue.endWait(second)
    #expect(overtakings() == 100)
  }
}
