import Observers
import TestSupport
import Testing

private protocol Named: AnyObject, Sendable {
  var number: Int { get }
}

extension Tracked: Named {}

@Suite struct WeakReferenceTests {
  @Test func itDoesNotKeepItsObjectAlive() {
    let lifetimes = Lifetimes()
    let object = Unguarded<Tracked?>(Tracked(lifetimes, number: 3))
    let reference = WeakReference(object.value!)
    let copy = reference
    #expect(reference.object?.number == 3)
    object.value = nil
    #expect(lifetimes.alive == 0)
    #expect(reference.object == nil)
    #expect(copy.object == nil)
  }

  @Test func itHoldsAnObjectBehindAProtocol() {
    let lifetimes = Lifetimes()
    let object = Unguarded<(any Named)?>(Tracked(lifetimes, number: 4))
    let reference = WeakReference<any Named>(object.value!)
    #expect(reference.object?.number == 4)
    #expect(reference.object === object.value)
    object.value = nil
    #expect(lifetimes.alive == 0)
    #expect(reference.object == nil)
  }
}
