import AtomicProperties
import TestSupport
import Testing

/// Tests atomic properties that many threads change at the same time.
@Suite(.serialized) struct PropertyStressTests {
  @Test func objectsInAnAtomicPropertyAreNeitherLeakedNorFreedEarly() {
    checkLifetimes { AtomicProperty(Identity($0)) }
  }

  @Test func objectsInAQueuePropertyAreNeitherLeakedNorFreedEarly() {
    checkLifetimes { QueueProperty(Identity($0)) }
  }

  /// An object that equals only itself.
  private struct Identity: Equatable, Sendable {
    let object: Tracked

    init(_ object: Tracked) { self.object = object }

    static func == (first: Identity, second: Identity) -> Bool { first.object === second.object }
  }

  private func checkLifetimes(_ make: (Tracked) -> some AssignableProperty<Identity>) {
    let lifetimes = Lifetimes()
    let rounds = StressSize.pick(quick: 2_000, full: 100_000)
    do {
      let property = make(Tracked(lifetimes, number: 77))
      let faults = race(threads: 8) { index -> Int in
        var random = Seed.current.generator(stream: index)
        return (0..<rounds).count { _ in
          switch random.next() % 4 {
          case 0: return property.value.object.number != 77
          case 1: return property.exchange(Identity(Tracked(lifetimes, number: 77))).object.number != 77
          case 2:
            let expected = property.value
            let desired = Identity(Tracked(lifetimes, number: 77))
            let result = property.compareExchange(expected: expected, desired: desired)
            return result.original.object.number != 77 || result.exchanged != (result.original == expected)
          default:
            property.value = Identity(Tracked(lifetimes, number: 77))
            return false
          }
        }
      }
      #expect(faults.allSatisfy { $0 == 0 }, "\(Seed.current)")
      #expect(lifetimes.alive == 1, "\(Seed.current)")
    }
    #expect(lifetimes.alive == 0, "\(Seed.current)")
  }
}
