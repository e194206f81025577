import TestSupport
import Testing

@testable import Observers

/// Tests every misuse that traps; each is committed in a process of its own.
@Suite struct CrashTests {
  private static let misuses = [
    Misuse("OrderedDelivery: made with a limit of 0", "pass at least 1, or leave the limit out") {
      _ = OrderedDelivery<Int>(limit: 0) { _ in }
    },
    Misuse(
      "OrderedDelivery: its elements were to be delivered outside of its actor",
      "call deliverNow() on the actor to which it delivers"
    ) {
      let delivery = OrderedDelivery<Int> { _ in }
      delivery.deliverNow(isolation: nil)
    },
    Misuse(
      "OrderedDelivery: its receiver waits for room, which only the receiver can make",
      "post without waiting, and combine or drop what is refused"
    ) {
      let delivery = OrderedDelivery<Int>(
        limit: 1, combining: nil, isReceiver: { _ in true }, schedule: { _ in },
        deliver: { delivery, elements in
          delivery.forEach(of: elements) { number in
            // There is room for the first post. After the second post, which is refused, `waitForRoom()` must
            // trap.
            for _ in 0..<2 { while !delivery.post(number) { _ = delivery.waitForRoom() } }
          }
        })
      _ = delivery.post(1)
      delivery.drain(isScheduled: true)
    },
    Misuse(
      "WeakObservers: given an observer of type Int, which is no object", "add an instance of a class"
    ) {
      _ = WeakObservers<Int>().add(5)
    },
    Misuse(
      "WeakObservers: given an observer of type String, which is no object", "add an instance of a class"
    ) {
      WeakObservers<String>().add(whileAlive: "text")
    },
  ]

  @Test(arguments: misuses.indices) func misuseTraps(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      try await Self.misuses[index].commit()
    }
    #expect(result?.standardErrorContent.trap == Self.misuses[index].message)
  }
}
