import Observers
import TestSupport
import Testing

private protocol Named: AnyObject, Sendable {
  var number: Int { get }
}

extension Tracked: Named {}

@Suite struct WeakHolderTests {
  @Test func itDoesNotKeepItsObjectAlive() {
    let lifetimes = Lifetimes()
    let object = Unguarded<Tracked?>(Tracked(lifetimes, number: 3))
    let holder = WeakHolder(object.value!)
    let copy = holder
    #expect(holder.object?.number == 3)
    object.value = nil
    #expect(lifetimes.alive == 0)
    #expect(holder.object == nil)
    #expect(copy.object == nil)
  }

  @Test func itHoldsAnObjectBehindAProtocol() {
    let lifetimes = Lifetimes()
    let object = Unguarded<(any Named)?>(Tracked(lifetimes, number: 4))
    let holder = WeakHolder<any Named>(object.value!)
    #expect(holder.object?.number == 4)
    #expect(holder.object === object.value)
    object.value = nil
    #expect(lifetimes.alive == 0)
    #expect(holder.object == nil)
  }
}
