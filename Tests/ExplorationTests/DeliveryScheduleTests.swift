#if Exploration
  import Exploration
  import InterlockCore
  import Observers
  import TestSupport
  import Testing

  /// Explores `OrderedDelivery`, with a thread in the place of the actor.
  @Suite(.serialized) struct DeliveryScheduleTests {
    /// A flag that is set while a drain is scheduled; a thread can sleep until it is set.
    ///
    /// The flag is a bare word, because a protector would take more steps, and each step multiplies the
    /// number of schedules.
    private final class ScheduledDrain: Sendable {
      private let word = LockWord()

      func schedule(_ run: Execution) {
        run.expect(word.exchangeReleasing(1) == 0, "one drain is scheduled at a time")
        word.wake(count: 1)
      }

      func take() {
        while word.loadAcquiring() == 0 { word.wait(while: 0) }
        word.storeRelaxed(0)
      }
    }

    /// A stand-in for an actor that receives elements: the thread of the test runs the drains of its
    /// delivery.
    private final class Actor: Sendable {
      private let scheduled: ScheduledDrain
      private let received: Unguarded<[Int]>
      let delivery: OrderedDelivery<Int>

      init(limit: Int, _ run: Execution) {
        let (scheduled, received) = (ScheduledDrain(), Unguarded<[Int]>([]))
        (self.scheduled, self.received) = (scheduled, received)
        delivery = OrderedDelivery(
          limit: limit, combining: nil, isReceiver: { _ in true }, schedule: { _ in scheduled.schedule(run) },
          deliver: { delivery, elements in
            delivery.forEach(of: elements) { received.value.append($0) }
          })
      }

      var elements: [Int] { received.value }

      /// Sleeps until a drain is scheduled, and runs it.
      ///
      /// If a post fails to schedule a drain, the thread stays asleep, and the exploration reports a
      /// deadlock.
      func runDrain() {
        scheduled.take()
        delivery.drain(isScheduled: true)
      }
    }

    @Test func noElementIsLeftBehind() throws {
      try check("OrderedDelivery, post and drain", .exhaustive(preemptions: 2)) { run in
        let actor = Actor(limit: 8, run)
        let posting = run.thread { (1...2).allSatisfy { actor.delivery.post($0) } }
        while actor.elements.count < 2 { actor.runDrain() }
        run.expect(posting.join())
        run.expect(actor.elements == [1, 2], "elements are delivered in the order of the posts")
      }
    }

    @Test func aThreadThatWaitsForRoomIsWoken() throws {
      try check("OrderedDelivery, a thread that waits for room", .exhaustive(preemptions: 2)) { run in
        let actor = Actor(limit: 1, run)
        let posting = run.thread {
          for element in 1...2 {
            while !actor.delivery.post(element) { run.expect(actor.delivery.waitForRoom()) }
          }
        }
        while actor.elements.count < 2 { actor.runDrain() }
        posting.join()
        run.expect(actor.elements == [1, 2])
      }
    }

    /// If one of the threads did not get the one place, the search would report a deadlock.
    @Test func twoThreadsWaitForRoom() throws {
      try check("OrderedDelivery, 2 threads that wait for room", .exhaustive(preemptions: 1)) { run in
        let actor = Actor(limit: 1, run)
        run.expect(actor.delivery.post(0))
        let posting = (1...2).map { element in
          run.thread {
            while !actor.delivery.post(element) { run.expect(actor.delivery.waitForRoom()) }
          }
        }
        while actor.elements.count < 3 { actor.runDrain() }
        for thread in posting { thread.join() }
        run.expect(actor.elements.first == 0 && actor.elements.sorted() == [0, 1, 2])
      }
    }

    @Test func anEndWakesAThreadThatWaitsForRoom() throws {
      try check("OrderedDelivery, an end beside a wait for room", .exhaustive(preemptions: 2)) { run in
        let actor = Actor(limit: 1, run)
        run.expect(actor.delivery.post(1))
        let waiting = run.thread { actor.delivery.waitForRoom() }
        actor.delivery.finish()
        run.expect(!waiting.join(), "nothing makes room, so only the end wakes the thread")
      }
    }

    @Test func nothingIsDeliveredAfterAnEnd() throws {
      try check("OrderedDelivery, an end beside posts and a drain", .exhaustive(preemptions: 2)) { run in
        let actor = Actor(limit: 8, run)
        let posting = run.thread { (actor.delivery.post(1), actor.delivery.post(2)) }
        // The thread of the test acts as the actor, and drains before and after the delivery ends.
        actor.delivery.drain(isScheduled: false)
        actor.delivery.finish()
        let delivered = actor.elements
        let (first, second) = posting.join()
        actor.delivery.drain(isScheduled: false)
        run.expect(actor.elements == delivered, "nothing is delivered after the end")
        run.expect(delivered == Array([1, 2].prefix(delivered.count)))
        run.expect(first || !second, "no post succeeds after one was refused")
        run.expect(!actor.delivery.post(3))
      }
    }
  }
#endif
