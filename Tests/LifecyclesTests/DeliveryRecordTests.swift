import TestSupport
import Testing

@testable import Lifecycles

/// Tests where a `Lifecycle` records its deliveries, which are the calls that `whileActive` admits.
@Suite struct DeliveryRecordTests {
  @Test("Inlined code ends the deliveries in a slot and in the last entry of the thread's record")
  func lastEntry() {
    for address in [128, 4_096] as [UInt] {
      for entry in 0..<8 as Range<UInt> {
        #expect(DeliveryToken(bits: address + entry).isInSlotWithLastEntry == (entry == 7))
      }
    }
    for token in [DeliveryToken.dropped, .nested, .unslotted] {
      #expect(!token.isInSlotWithLastEntry)
    }
  }

  @Test("The list of deliveries without a slot knows the lifecycle and the thread of each")
  func list() {
    // No lifecycle has one of these keys.
    let (key, otherKey): (UInt, UInt) = (1, 2)
    let list = UnslottedDeliveries.shared
    list.add(key)
    #expect(list.includesCallingThread(key) && !list.includesOtherThread(key))
    #expect(!list.includesCallingThread(otherKey) && !list.includesOtherThread(otherKey))
    onAnotherThread {
      list.add(otherKey)
      #expect(list.includesOtherThread(key) && !list.includesCallingThread(key))
      #expect(list.includesCallingThread(otherKey) && !list.includesOtherThread(otherKey))
      list.remove(otherKey)
    }
    list.remove(key)
    #expect(!list.includesCallingThread(key))
  }
}
