import AtomicProperties
import Synchronization
import TestSupport
import Testing

/// Tests atomic properties that many threads change at the same time.
@Suite(.serialized) struct PropertyStressTests {
  private let threads = 8

  @Test func objectsInAnAtomicPropertyAreNeitherLeakedNorFreedEarly() {
    checkLifetimes { first in
      let property = AtomicProperty(Identity(first))
      return Operations(
        load: { property.value }, exchange: { property.exchange($0) },
        compareExchange: { property.compareExchange(expected: $0, desired: $1) },
        assign: { property.value = $0 })
    }
  }

  @Test func objectsInAQueuePropertyAreNeitherLeakedNorFreedEarly() {
    checkLifetimes { first in
      let property = QueueProperty(Identity(first))
      return Operations(
        load: { property.value }, exchange: { property.exchange($0) },
        compareExchange: { property.compareExchange(expected: $0, desired: $1) },
        assign: { property.value = $0 })
    }
  }

  /// An object that equals only itself.
  private struct Identity: Equatable, Sendable {
    let object: Tracked

    init(_ object: Tracked) { self.object = object }

    static func == (first: Identity, second: Identity) -> Bool { first.object === second.object }
  }

  private struct Operations: Sendable {
    let load: @Sendable () -> Identity
    let exchange: @Sendable (Identity) -> Identity
    let compareExchange: @Sendable (Identity, Identity) -> (exchanged: Bool, original: Identity)
    let assign: @Sendable (Identity) -> Void
  }

  private func checkLifetimes(_ make: (Tracked) -> Operations) {
    let lifetimes = Lifetimes()
    let rounds = StressSize.pick(quick: 2_000, full: 100_000)
    do {
      let property = make(Tracked(lifetimes, number: 77))
      let faults = race(threads: threads) { index -> Int in
        var random = Seed.current.generator(stream: index)
        return (0..<rounds).count { _ in
          switch random.next() % 4 {
          case 0: return property.load().object.number != 77
          case 1: return property.exchange(Identity(Tracked(lifetimes, number: 77))).object.number != 77
          case 2:
            let expected = property.load()
            let result = property.compareExchange(expected, Identity(Tracked(lifetimes, number: 77)))
            return result.original.object.number != 77 || result.exchanged != (result.original == expected)
          default:
            property.assign(Identity(Tracked(lifetimes, number: 77)))
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
