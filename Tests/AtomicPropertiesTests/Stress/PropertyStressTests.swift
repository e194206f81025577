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

  @Test func allWaysToIncrementAddUp() {
    let rounds = StressSize.pick(quick: 4_000, full: 200_000)
    let atomic = AtomicProperty(0)
    increment(
      rounds: rounds, { atomic.value += 1 }, { atomic.update { $0 += 1 } },
      {
        let old = atomic.value
        return atomic.compareExchange(expected: old, desired: old + 1).exchanged
      })
    #expect(atomic.value == threads * rounds)
    let lockFree = LockFreeProperty(0)
    increment(
      rounds: rounds, { lockFree.wrappingAdd(1, ordering: .relaxed) }, { lockFree.update { $0 += 1 } },
      {
        let old = lockFree.value
        return lockFree.compareExchange(expected: old, desired: old + 1).exchanged
      })
    #expect(lockFree.value == threads * rounds)
  }

  @Test func allWaysToIncrementAQueuePropertyAddUp() {
    let rounds = StressSize.pick(quick: 500, full: 20_000)
    let property = QueueProperty(0)
    increment(
      rounds: rounds, { property.value += 1 }, { property.update { $0 += 1 } },
      {
        let old = property.value
        return property.compareExchange(expected: old, desired: old + 1).exchanged
      })
    #expect(property.value == threads * rounds)
  }

  /// Increments a property on each thread `rounds` times, in one of three ways at random.
  ///
  /// `tryToIncrement` is repeated until it returns `true`.
  private func increment(
    rounds: Int, _ add: @Sendable () -> Void, _ update: @Sendable () -> Void,
    _ tryToIncrement: @Sendable () -> Bool
  ) {
    race(threads: threads) { index in
      var random = Seed.current.generator(stream: index)
      for _ in 0..<rounds {
        switch random.next() % 3 {
        case 0: add()
        case 1: update()
        default: while !tryToIncrement() {}
        }
      }
    }
  }

  @Test func exchangesLoseNoValue() {
    let atomic = AtomicProperty(-1)
    let lockFree = LockFreeProperty(-1)
    let queue = QueueProperty(-1)
    let rounds = StressSize.pick(quick: 2_000, full: 100_000)
    let taken = race(threads: threads) { index in
      return (0..<rounds).map { round in
        let number = index * rounds + round
        return [atomic.exchange(number), lockFree.exchange(number), queue.exchange(number)]
      }
    }
    for (property, last) in [atomic.value, lockFree.value, queue.value].enumerated() {
      let all = taken.joined().map { $0[property] } + [last]
      #expect(all.sorted() == Array(-1..<threads * rounds))
    }
  }

  @Test func anAcquiringLoadSeesTheWritesBeforeAReleasingStore() {
    let rounds = StressSize.pick(quick: 500, full: 20_000)
    let number = Unguarded(0)
    let turn = LockFreeProperty(0)
    let faults = race(threads: 2) { index -> Int in
      (0..<rounds).count { round in
        while turn.value != 2 * round + index { PlatformThread.yield() }
        let isAsExpected = number.value == 2 * round + index
        number.value += 1
        turn.store(2 * round + index + 1, ordering: .releasing)
        return !isAsExpected
      }
    }
    #expect(faults == [0, 0])
  }
}
