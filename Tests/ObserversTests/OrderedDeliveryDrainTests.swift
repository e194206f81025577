import InterlockCore
import Protectors
import TestSupport
import Testing

@testable import Observers

/// Tests which posts schedule a drain, and which elements each drain delivers.
@Suite struct OrderedDeliveryDrainTests {
  /// A delivery that only counts the drains that it schedules; the test runs each of them by calling `drain`.
  private final class Manual: Sendable {
    let scheduled = ExclusiveProtector(0)
    let received = ExclusiveProtector<[Int]>([])
    let delivery = Unguarded<OrderedDelivery<Int>?>(nil)

    init(receive: @escaping @Sendable (Manual, Int) -> Void = { _, _ in }) {
      delivery.value = OrderedDelivery(
        limit: .max, combining: nil, isReceiver: { _ in true },
        schedule: { [scheduled] _ in scheduled.withLock { $0 += 1 } },
        deliver: { [weak self] delivery, elements in
          delivery.forEach(of: elements) { element in
            self?.received.withLock { $0.append(element) }
            self.map { receive($0, element) }
          }
        })
    }

    var drains: Int { scheduled.withLock { $0 } }
    var elements: [Int] { received.withLock { $0 } }

    func post(_ number: Int) { #expect(delivery.value!.post(number)) }
    func drain(isScheduled: Bool = true) { delivery.value!.drain(isScheduled: isScheduled) }
  }

  @Test("a burst schedules one drain, and the next burst the next one")
  func bursts() {
    let manual = Manual()
    for burst in 1...3 {
      for number in 0..<100 { manual.post(number) }
      #expect(manual.drains == burst)
      manual.drain()
      #expect(manual.elements.count == 100 * burst)
    }
  }

  @Test("threads that post at the same time schedule one drain")
  func burstsOfThreads() {
    let manual = Manual()
    race(threads: 4) { index in
      for number in 0..<100 { manual.post(100 * index + number) }
    }
    #expect(manual.drains == 1)
    manual.drain()
    #expect(manual.elements.count == 400)
  }

  @Test("elements that were taken early leave the scheduled drain in its place")
  func takenEarly() {
    let manual = Manual()
    manual.post(1)
    manual.drain(isScheduled: false)
    manual.post(2)
    #expect(manual.drains == 1, "the drain that is scheduled will deliver it")
    manual.drain()
    #expect(manual.elements == [1, 2])
    manual.post(3)
    #expect(manual.drains == 2)
  }

  @Test("a post of the receiver schedules a drain")
  func reentrantPosts() {
    let manual = Manual { manual, element in if element < 3 { manual.post(element + 1) } }
    manual.post(1)
    for number in 1...3 {
      #expect(manual.drains == number)
      manual.drain()
      #expect(manual.elements == Array(1...number))
    }
    #expect(manual.drains == 3)
  }

  /// The receiver posts an element, and then runs the scheduled drain inside its delivery, as a run loop
  /// could.
  @Test("a drain inside a delivery leaves the order, and what it was scheduled for is delivered")
  func nestedDrains() {
    let manual = Manual { manual, element in
      guard element == 1 else { return }
      manual.post(3)
      manual.drain()
      #expect(manual.elements == [1])
    }
    manual.post(1)
    manual.post(2)
    manual.drain()
    #expect(manual.elements == [1, 2, 3])
    #expect(manual.drains == 2)
    manual.post(4)
    #expect(manual.drains == 3)
  }
}
