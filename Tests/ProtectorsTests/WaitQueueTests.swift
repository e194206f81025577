import InterlockCore
import InterlockWaits
import TestSupport
import Testing

@testable import Protectors

/// Tests which waiters the end of a write section notifies.
///
/// The tests use a queue without a protector. Most waiters have no thread; some have a thread that sleeps.
@Suite struct WaitQueueTests {
  /// Makes a waiter of a writer, or of a reader, whose predicate always or never holds (`isSatisfiable`).
  ///
  /// The caller must pass the waiter to `free`.
  private static func makeWaiter(
    isReading: Bool = false, isCancellable: Bool = false, isSatisfiable: Bool = true
  ) -> UnsafeMutablePointer<Waiter> {
    let waiter = UnsafeMutablePointer<Waiter>.allocate(capacity: 1)
    // These predicates ignore their argument, so any address will do.
    let nothing = UnsafeRawPointer(waiter)
    waiter.initialize(
      to: isSatisfiable
        ? Waiter(
          isReading ? .reader : .thread, isCancellable: isCancellable, primitive: Primitive(.predicate),
          predicate: nothing
        ) { _, _ in true }
        : Waiter(
          isReading ? .reader : .thread, isCancellable: isCancellable, primitive: Primitive(.predicate),
          predicate: nothing
        ) { _, _ in false })
    return waiter
  }

  /// Makes a waiting writer whose predicate is true if the value equals `number`, which must be 1 or 2.
  ///
  /// The caller must pass the waiter to `free`.
  private static func makeWaiter(for number: Int) -> UnsafeMutablePointer<Waiter> {
    let waiter = UnsafeMutablePointer<Waiter>.allocate(capacity: 1)
    let nothing = UnsafeRawPointer(waiter)
    waiter.initialize(
      to: number == 1
        ? Waiter(
          .thread, isCancellable: false, primitive: Primitive(.predicate), predicate: nothing
        ) {
          value, _ in
          value.load(as: Int.self) == 1
        }
        : Waiter(
          .thread, isCancellable: false, primitive: Primitive(.predicate), predicate: nothing
        ) {
          value, _ in
          value.load(as: Int.self) == 2
        })
    return waiter
  }

  private static func free(_ waiters: UnsafeMutablePointer<Waiter>...) {
    for waiter in waiters {
      waiter.deinitialize(count: 1)
      waiter.deallocate()
    }
  }

  /// Returns the waiters that the end of a write section notifies if the protected value is `value`.
  private static func serve(_ queue: borrowing WaitQueue, value: Int = 0) -> [UnsafeMutablePointer<Waiter>] {
    let served = withUnsafeBytes(of: value) { queue.serve($0.baseAddress!) }
    return Array(
      sequence(state: served.first) { next in
        defer { next = next?.pointee.next }
        return next
      })
  }

  /// Runs `body` while a new thread sleeps on `waiter`, and then wakes and joins the thread.
  private static func whileAsleep(_ waiter: UnsafeMutablePointer<Waiter>, _ body: () -> Void) {
    // `nonisolated(unsafe)` is sound: the thread only sleeps on the waiter's atomic word, and this function
    // joins the thread before it returns.
    nonisolated(unsafe) let waiter = waiter
    let thread = PlatformThread {
      var attempt = AdaptiveSpin.Attempt(checksBeforeYield: 0, checksAfterYield: 0)
      _ = waiter.pointee.sleep(in: 0, until: .never, &attempt)
    }
    while !waiter.pointee.isAsleep { PlatformThread.yield() }
    body()
    Waiter.notify(waiter)
    thread.join()
  }

  @Test func waitersAreServedInTheirOrder() {
    let queue = WaitQueue()
    let (first, second) = (Self.makeWaiter(), Self.makeWaiter())
    defer { Self.free(first, second) }
    queue.append(first)
    queue.append(second)
    #expect(Self.serve(queue) == [first])
    // The first writer has yet to acquire the lock, so no second writer is notified.
    #expect(Self.serve(queue) == [])
    queue.arrive(first)
    #expect(Self.serve(queue) == [second])
    queue.arrive(second)
    let isEmpty = !queue.isNotEmpty
    #expect(isEmpty)
  }

  @Test("Waiters with a deadline are counted while they are in the queue")
  func waitersWithADeadlineAreCounted() {
    let queue = WaitQueue()
    let (first, second, other) = (
      Self.makeWaiter(isCancellable: true), Self.makeWaiter(isCancellable: true), Self.makeWaiter()
    )
    defer { Self.free(first, second, other) }
    for waiter in [first, other, second] { queue.append(waiter) }
    #expect(queue.cancellableCount == 2)
    queue.arrive(first)
    queue.arrive(other)
    #expect(queue.cancellableCount == 1)
    queue.arrive(second)
    #expect(queue.cancellableCount == 0)
  }

  @Test("A waiter that was served before its deadline has passed is not removed, but notified")
  func servedAtTheDeadline() {
    let queue = WaitQueue()
    let waiter = Self.makeWaiter(isCancellable: true)
    defer { Self.free(waiter) }
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
        while !shared.pointee.isAsleep { PlatformThread.yield() }
        // Delays the notification by up to a second. A faulty `sleep`, which does not wait for notifications,
        // would return within that time.
        let end = Timeout(.seconds(1), for: Primitive(.predicate)).deadlineFromNow()
        while !hasLeft.isSet, !end.hasPassed { PlatformThread.yield() }
        #expect(!hasLeft.isSet, "the thread left before it was notified")
        Waiter.notify(shared)
      }
    }
    queue.arrive(waiter)
    let isEmpty = !queue.isNotEmpty
    #expect(isEmpty)
  }

  @Test func readersAreServedTogether() {
    let queue = WaitQueue()
    let (first, second, writer) = (
      Self.makeWaiter(isReading: true), Self.makeWaiter(isReading: true), Self.makeWaiter()
    )
    defer { Self.free(first, second, writer) }
    queue.append(first)
    queue.append(writer)
    queue.append(second)
    #expect(Set(Self.serve(queue)) == [first, second, writer])
    queue.arrive(writer)
    let isEmpty = !queue.isNotEmpty
    #expect(isEmpty)
  }

  @Test func aThreadThatIsAwakeComesBeforeOneThatSleeps() {
    let queue = WaitQueue()
    let (sleeper, reader, awake) = (
      Self.makeWaiter(), Self.makeWaiter(isReading: true), Self.makeWaiter()
    )
    defer { Self.free(sleeper, reader, awake) }
    queue.append(sleeper)
    queue.append(reader)
    queue.append(awake)
    Self.whileAsleep(sleeper) {
      #expect(Set(Self.serve(queue)) == [reader, awake])
      queue.arrive(awake)
      #expect(Self.serve(queue) == [sleeper])
      queue.arrive(sleeper)
    }
  }

  @Test func aThreadThatSleepsIsOvertakenSixtyFourTimes() {
    let queue = WaitQueue()
    let (sleeper, awake) = (Self.makeWaiter(), Self.makeWaiter())
    defer { Self.free(sleeper, awake) }
    queue.append(sleeper)
    Self.whileAsleep(sleeper) {
      for _ in 0..<2 {
        for _ in 0..<64 {
          queue.append(awake)
          #expect(Self.serve(queue) == [awake])
          queue.arrive(awake)
          awake.pointee.isServed = false
        }
        queue.append(awake)
        #expect(Self.serve(queue) == [sleeper])
        queue.arrive(sleeper)
        (sleeper.pointee.isServed, sleeper.pointee.overtakings) = (false, 0)
        queue.arrive(awake)
        queue.append(sleeper)
      }
      queue.arrive(sleeper)
    }
  }

  /// Awake writers may overtake a sleeping writer at most 64 times.
  ///
  /// After each time, the test notifies another sleeping writer, with another predicate. These notifications
  /// must not count as overtaking.
  @Test func anOvertakingOfAnotherSleeperDoesNotCount() {
    let queue = WaitQueue()
    let (sleeper, another, awake) = (
      Self.makeWaiter(for: 1), Self.makeWaiter(for: 2), Self.makeWaiter(for: 1)
    )
    defer { Self.free(sleeper, another, awake) }
    queue.append(sleeper)
    queue.append(another)
    Self.whileAsleep(sleeper) {
      Self.whileAsleep(another) {
        for _ in 0..<64 {
          queue.append(awake)
          #expect(Self.serve(queue, value: 1) == [awake])
          queue.arrive(awake)
          awake.pointee.isServed = false
          #expect(Self.serve(queue, value: 2) == [another])
          queue.arrive(another)
          another.pointee.isServed = false
          queue.append(another)
        }
        queue.append(awake)
        #expect(Self.serve(queue, value: 1) == [sleeper])
        queue.arrive(sleeper)
        queue.arrive(awake)
        queue.arrive(another)
      }
    }
  }

  /// A waiter whose predicate never holds must not keep the waiters behind it from being notified.
  @Test func aWaiterWhosePredicateIsFalseDoesNotHideTheNextSleeper() {
    let queue = WaitQueue()
    let (never, sleeper, awake) = (
      Self.makeWaiter(for: 2), Self.makeWaiter(for: 1), Self.makeWaiter(for: 1)
    )
    defer { Self.free(never, sleeper, awake) }
    queue.append(never)
    queue.append(sleeper)
    Self.whileAsleep(never) {
      Self.whileAsleep(sleeper) {
        for _ in 0..<128 {
          queue.append(awake)
          #expect(Self.serve(queue, value: 1) == [awake])
          queue.arrive(awake)
          awake.pointee.isServed = false
        }
        queue.append(awake)
        #expect(Self.serve(queue, value: 1) == [sleeper])
        queue.arrive(sleeper)
        queue.arrive(awake)
        queue.arrive(never)
      }
    }
  }

  @Test func aSleeperIsServedIfNoOtherPredicateHolds() {
    let queue = WaitQueue()
    let (sleeper, awake) = (Self.makeWaiter(), Self.makeWaiter(isSatisfiable: false))
    defer { Self.free(sleeper, awake) }
    queue.append(sleeper)
    queue.append(awake)
    Self.whileAsleep(sleeper) {
      #expect(Self.serve(queue) == [sleeper])
      queue.arrive(sleeper)
    }
    queue.arrive(awake)
  }

  // MARK: Tasks

  /// Makes the waiter of a task that writes, whose predicate is true if the value equals 1.
  ///
  /// The caller must pass the waiter to `free`.
  private static func makeTask(in group: WaitGroup? = nil, writes: Bool = true) -> UnsafeMutablePointer<
    Waiter
  > {
    let waiter = UnsafeMutablePointer<Waiter>.allocate(capacity: 1)
    waiter.initialize(
      to: Waiter(
        writes ? .task : .reader, isCancellable: true, task: TaskWaiter(), group: group,
        primitive: Primitive(.predicate), predicate: UnsafeRawPointer(waiter)
      ) { value, _ in value.load(as: Int.self) == 1 })
    return waiter
  }

  /// Takes a served waiter's turn, as its task does, and returns the waiters that are served next.
  private static func arrive(
    _ waiter: UnsafeMutablePointer<Waiter>, _ queue: borrowing WaitQueue
  ) -> [UnsafeMutablePointer<Waiter>] {
    queue.arrive(waiter)
    return serve(queue, value: 1)
  }

  @Test func tasksAreServedOneAtATimeAndBesideAThread() {
    let queue = WaitQueue()
    let (first, second, thread) = (Self.makeTask(), Self.makeTask(), Self.makeWaiter())
    defer { Self.free(first, second, thread) }
    for waiter in [first, second] { queue.append(waiter) }
    #expect(Self.serve(queue, value: 1) == [first])
    #expect(queue.cancellableCount == 1)
    queue.append(thread)
    #expect(Self.serve(queue, value: 1) == [thread])
    #expect(Self.arrive(thread, queue) == [])
    #expect(Self.arrive(first, queue) == [second])
    #expect(Self.arrive(second, queue) == [])
    let isAtRest = queue.isAtRest
    #expect(isAtRest)
  }

  @Test func aTaskThatWasServedInVainReturnsToTheFront() {
    let queue = WaitQueue()
    let group = WaitGroup(queue: 0)
    let (first, single) = (Self.makeTask(in: group), Self.makeTask())
    let others = (0..<2).map { _ in Self.makeTask(in: group) }
    defer { for waiter in [first, single] + others { Self.free(waiter) } }
    for waiter in [first, single] + others { queue.append(waiter) }
    for _ in 0..<3 {
      #expect(Self.serve(queue, value: 1) == [first])
      queue.waitOn(first)
      #expect(queue.cancellableCount == 4)
      #expect(Self.serve(queue, value: 0) == [])
    }
    #expect(Self.serve(queue, value: 1) == [first])
    #expect(Self.arrive(first, queue) == [single])
    #expect(Self.arrive(single, queue) == [others[0]])
    #expect(Self.arrive(others[0], queue) == [others[1]])
    #expect(Self.arrive(others[1], queue) == [])
  }

  @Test func groupsAndSingleTasksTakeTurns() {
    let queue = WaitQueue()
    let group = WaitGroup(queue: 0)
    let members = (0..<4).map { _ in Self.makeTask(in: group) }
    let singles = (0..<2).map { _ in Self.makeTask() }
    defer { for waiter in members + singles { Self.free(waiter) } }
    for waiter in members + singles { queue.append(waiter) }
    var served = Self.serve(queue, value: 1)
    var order: [UnsafeMutablePointer<Waiter>] = []
    while let waiter = served.first {
      order.append(waiter)
      served = Self.arrive(waiter, queue)
    }
    #expect(order == [members[0], singles[0], singles[1], members[1], members[2], members[3]])
  }

  /// When the first waiter of a group withdraws, the next one takes its place before later single waiters.
  @Test(arguments: [0, 1, 2, 3]) func whoWithdrawsFromAGroupLeavesTheOrderAsItIs(leaving: Int) {
    let queue = WaitQueue()
    let group = WaitGroup(queue: 0)
    let members = (0..<3).map { _ in Self.makeTask(in: group) }
    let single = Self.makeTask()
    let all = [members[0], single, members[1], members[2]]
    defer { for waiter in all { Self.free(waiter) } }
    for waiter in all { queue.append(waiter) }
    let results = (0..<2).map { _ in queue.waiting!.withdraw(all[leaving]) }
    #expect(results == [true, false])
    #expect(queue.cancellableCount == 3)
    // The group's first waiter has its place before `single`, and then moves behind it.
    let expected = leaving == 0 ? [members[1], single, members[2]] : all.filter { $0 != all[leaving] }
    var served = Self.serve(queue, value: 1)
    var order: [UnsafeMutablePointer<Waiter>] = []
    while let waiter = served.first {
      order.append(waiter)
      served = Self.arrive(waiter, queue)
    }
    #expect(order == expected)
  }

  /// A queue at the address of an earlier one counts the calls of `serve` anew.
  @Test func aGroupForgetsTheEvaluationsOfAnEarlierQueue() {
    let earlier = WaitQueue()
    let later = WaitQueue()
    let group = WaitGroup(queue: 0)
    let waiter = Self.makeTask(in: group)
    defer { Self.free(waiter) }
    earlier.append(waiter)
    #expect(Self.serve(earlier, value: 0) == [])
    earlier.arrive(waiter)
    later.append(waiter)
    #expect(Self.serve(later, value: 1) == [waiter])
    later.arrive(waiter)
  }

  @Test func allReadersOfAGroupAreServedTogether() {
    let queue = WaitQueue()
    let group = WaitGroup(queue: 0)
    let members = (0..<3).map { _ in Self.makeTask(in: group, writes: false) }
    let writer = Self.makeTask(in: group)
    let single = Self.makeTask(writes: false)
    let all = [members[0], single, writer, members[1], members[2]]
    defer { for waiter in all { Self.free(waiter) } }
    for waiter in all { queue.append(waiter) }
    #expect(Self.serve(queue, value: 1) == members + [single, writer])
    #expect(Self.arrive(writer, queue) == [])
  }

  /// The number of calls, of 100, that may go ahead of a served task.
  private static func overtakings(_ queue: borrowing WaitQueue) -> Int {
    var count = 0
    for _ in 0..<100 where queue.mayOvertake() { count += 1 }
    return count
  }

  @Test func aServedTaskIsOvertakenSixtyFourTimes() {
    let queue = WaitQueue()
    let (first, second) = (Self.makeTask(), Self.makeTask())
    defer { Self.free(first, second) }
    #expect(Self.overtakings(queue) == 100)
    queue.append(first)
    queue.append(second)
    #expect(Self.overtakings(queue) == 100)
    _ = Self.serve(queue, value: 1)
    #expect(Self.overtakings(queue) == 64)
    // Being served in vain doesn't make the count begin again.
    queue.waitOn(first)
    #expect(Self.overtakings(queue) == 100)
    #expect(Self.serve(queue, value: 1) == [first])
    #expect(Self.overtakings(queue) == 0)
    #expect(Self.arrive(first, queue) == [second])
    #expect(Self.overtakings(queue) == 64)
    queue.arrive(second)
    #expect(Self.overtakings(queue) == 100)
  }
}
