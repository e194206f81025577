import InterlockCore
import Protectors
import TestSupport
import Testing

@testable import Observers

private enum Poster {
  @TaskLocal static var number = 0
}

/// Tests the delivery to the main actor and to other actors.
@MainActor @Suite struct OrderedDeliveryTests {
  private let received = Received<Int>()

  /// The elements that the main actor has received.
  private final class Received<Element> {
    var elements: [Element] = []
  }

  private actor Receiver {
    var elements: [Int] = []
    var delivery: OrderedDelivery<Int>?

    func receive(_ element: Int) { elements.append(element) }

    func makeDelivery() -> OrderedDelivery<Int> {
      let delivery = OrderedDelivery(to: self) { $0.receive($1) }
      self.delivery = delivery
      return delivery
    }

    func deliverNow() { delivery?.deliverNow() }
  }

  /// Lets other tasks run until `condition` holds.
  private func wait(until condition: () async -> Bool) async {
    while await !condition() { await Task.yield() }
  }

  private actor Reader {
    func rest() {}

    func makeDelivery(_ received: @escaping @Sendable (Int) -> Void) -> OrderedDelivery<Int> {
      OrderedDelivery(to: self) { _, _ in received(Poster.number) }
    }

    func makeDelivery(noting priorities: Unguarded<[TaskPriority?]>) -> OrderedDelivery<Int> {
      OrderedDelivery(to: self) { _, _ in priorities.value.append(Task.basePriority) }
    }
  }

  @Test("a drain has the priority of the post that schedules it", arguments: [TaskPriority.high, .low])
  func priorities(priority: TaskPriority) async {
    let (onMain, onReader) = (Unguarded<[TaskPriority?]>([]), Unguarded<[TaskPriority?]>([]))
    let reader = Reader()
    let toActor = await reader.makeDelivery(noting: onReader)
    let delivery = OrderedDelivery<Int> { _ in onMain.value.append(Task.basePriority) }
    let hasPosted = RelaxedFlag()
    Task.detached(priority: priority) {
      _ = delivery.post(1)
      _ = toActor.post(1)
      hasPosted.set()
    }
    // To await the task would raise its priority.
    await wait { hasPosted.isSet && delivery.count == 0 && toActor.count == 0 }
    // The elements have been taken; a receiver may still run.
    await Task { @MainActor in }.value
    await reader.rest()
    #expect(onMain.value == [priority] && onReader.value == [priority])
  }

  @Test("the receiver has none of a poster's task-local values")
  func taskLocalValues() async {
    let delivery = OrderedDelivery<Int> { _ in received.elements.append(Poster.number) }
    let numbers = ExclusiveProtector<[Int]>([])
    let reader = Reader()
    let toActor = await reader.makeDelivery { number in numbers.withLock { $0.append(number) } }
    Poster.$number.withValue(5) {
      _ = delivery.post(1)
      _ = toActor.post(1)
    }
    await wait { received.elements.count == 1 && numbers.value.count == 1 }
    #expect(received.elements + numbers.value == [0, 0])
    withExtendedLifetime(reader) {}
  }

  // MARK: Order and bursts

  @Test("elements that threads post in critical sections are delivered in the order of the sections")
  func order() async {
    let delivery = OrderedDelivery { received.elements.append($0) }
    let last = Protector(0)
    let count = 4 * StressSize.pick(quick: 1_000, full: 100_000)
    let posting = Task.detached {
      race(threads: 4) { _ in
        for _ in 0..<count / 4 {
          let isPosted = last.withWriteLock { last in
            last += 1
            return delivery.post(last)
          }
          precondition(isPosted)
        }
      }
    }
    await wait { received.elements.count == count }
    _ = await posting.value
    #expect(received.elements == Array(1...count))
  }

  @Test("an actor of one's own receives in order, and can deliver what waits")
  func ownActor() async {
    let receiver = Receiver()
    let delivery = await receiver.makeDelivery()
    for number in 1...3 { #expect(delivery.post(number)) }
    await wait { await receiver.elements.count == 3 }
    for number in 4...100 { #expect(delivery.post(number)) }
    await receiver.deliverNow()
    #expect(await receiver.elements == Array(1...100))
  }

  // MARK: Posts and calls of the receiver

  @Test("elements that the receiver posts come after those that were posted before")
  func reentrantPosts() async {
    let box = Unguarded<OrderedDelivery<Int>?>(nil)
    let delivery = OrderedDelivery<Int> { element in
      received.elements.append(element)
      if element < 10 { #expect(box.value!.post(element + 10)) }
      box.value!.deliverNow()
    }
    box.value = delivery
    for number in 1...3 { #expect(delivery.post(number)) }
    await wait { received.elements.count == 6 }
    #expect(received.elements == [1, 2, 3, 11, 12, 13])
    box.value = nil
  }

  // MARK: Bounds

  @Test("a post beyond the limit is refused, and changes nothing")
  func refusal() {
    let delivery = OrderedDelivery(limit: 2) { received.elements.append($0) }
    #expect((1...4).map { delivery.post($0) } == [true, true, false, false])
    delivery.deliverNow()
    #expect(delivery.post(5))
    delivery.deliverNow()
    #expect(received.elements == [1, 2, 5])
  }

  @Test("a post beyond the limit is combined with the newest element")
  func combination() {
    let received = Received<[Int]>()
    let delivery = OrderedDelivery<[Int]>(limit: 2, combining: { $0 += $1 }) { received.elements.append($0) }
    for number in 1...4 { #expect(delivery.post([number])) }
    #expect(delivery.count == 2)
    delivery.deliverNow()
    #expect(received.elements == [[1], [2, 3, 4]])
  }

  // MARK: Waiting for room

  @Test("the end of the delivery ends the waits of threads and tasks")
  func endOfWaits() async throws {
    let delivery = OrderedDelivery<Int>(limit: 1) { _ in }
    #expect(delivery.post(1))
    let task = Task.immediate { try await delivery.waitForRoom() }
    concurrently({ while delivery.waitForRoom() {} }, { delivery.finish() })
    #expect(try await task.value == false)
    #expect(try await delivery.waitForRoom() == false)
  }

  // MARK: Ends

  @Test("nothing is delivered after an end on the actor, and posts are refused")
  func end() async {
    let delivery = OrderedDelivery { received.elements.append($0) }
    #expect(delivery.post(1) && !delivery.isFinished)
    delivery.finish()
    delivery.finish()
    #expect(!delivery.post(2) && delivery.isFinished)
    delivery.deliverNow()
    await Task { @MainActor in }.value
    #expect(received.elements.isEmpty)
  }

  @Test("an end during a delivery drops the rest of the burst")
  func endInsideADelivery() async {
    let box = Unguarded<OrderedDelivery<Int>?>(nil)
    let delivery = OrderedDelivery<Int> { element in
      received.elements.append(element)
      #expect(box.value!.post(element + 10))
      if element == 2 { box.value!.finish() }
    }
    box.value = delivery
    for number in 1...3 { #expect(delivery.post(number)) }
    await wait { !received.elements.isEmpty }
    await Task { @MainActor in }.value
    #expect(received.elements == [1, 2])
    box.value = nil
  }

  @Test("elements are released once, whether they are delivered, combined or dropped")
  func lifetimes() {
    let lifetimes = Lifetimes()
    do {
      let delivery = OrderedDelivery<Tracked>(limit: 2, combining: { $0 = $1 }) { _ in }
      for _ in 0..<3 { #expect(delivery.post(Tracked(lifetimes))) }
      #expect(lifetimes.alive == 2)
      delivery.deliverNow()
      #expect(lifetimes.alive == 0)
      #expect(delivery.post(Tracked(lifetimes)))
      delivery.finish()
      #expect(lifetimes.alive == 0)
      let released = OrderedDelivery<Tracked> { _ in }
      #expect(released.post(Tracked(lifetimes)))
    }
    // Its drain is still scheduled.
    #expect(lifetimes.alive == 0)
  }

  @Test("an element whose end posts another one is released outside the lock")
  func releasesOutsideTheLock() {
    final class Poster: Sendable {
      let delivery: OrderedDelivery<Poster?>
      init(_ delivery: OrderedDelivery<Poster?>) { self.delivery = delivery }
      deinit { _ = delivery.post(nil) }
    }
    let delivery = OrderedDelivery<Poster?>(limit: 1) { _ in }
    #expect(delivery.post(Poster(delivery)))
    #expect(!delivery.post(Poster(delivery)))
    delivery.deliverNow()
    #expect(delivery.count == 1, "the element that was delivered has posted one")
    delivery.deliverNow()
    #expect(delivery.post(Poster(delivery)))
    delivery.finish()
    #expect(delivery.count == 0)
  }

  @Test("the delivery doesn't keep its actor alive, and ends with it")
  func endOfTheActor() async {
    weak var actor: Receiver?
    let delivery: OrderedDelivery<Int>
    do {
      let receiver = Receiver()
      actor = receiver
      delivery = OrderedDelivery(to: receiver) { $0.receive($1) }
    }
    #expect(actor == nil)
    #expect(delivery.post(1), "no post has found out yet")
    await wait { !delivery.post(2) }
    #expect(delivery.count == 0)
  }
}
