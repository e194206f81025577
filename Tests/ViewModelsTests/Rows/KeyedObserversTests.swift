import TestSupport
import Testing
import ViewModels

/// Tests `KeyedObservers`, which does not keep its keys alive.
@Suite struct KeyedObserversTests {
  /// A key of fixed size, so that the allocator reuses its memory.
  private final class Key: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  /// A value whose `deinit` uses the `KeyedObservers` that contains the value.
  private final class Reentrant: Sendable {
    let registry: KeyedObservers<Reentrant?>
    let ended: RelaxedCounter
    let key = Key(0)

    init(_ registry: KeyedObservers<Reentrant?>, _ ended: RelaxedCounter) {
      self.registry = registry
      self.ended = ended
    }

    deinit {
      registry.remove(key)
      ended.add(registry.liveCount >= 0 ? 1 : 0)
    }
  }

  @Test("The removal of dead entries spares a new key at the address of a dead one")
  func reusedAddresses() {
    let registry = KeyedObservers<Int>()
    let hasEnded = RelaxedFlag()
    let removals = RelaxedCounter()
    let lost = race(threads: 2) { index -> Int in
      if index == 1 {
        while !hasEnded.isSet {
          registry.removeDead()
          removals.add(1)
        }
        return 0
      }
      defer { hasEnded.set() }
      var number = 0
      var lost = 0
      // The allocator usually gives a new key the address of the previous key, which has been deallocated. On a
      // busy machine many keys come and go before the other thread runs at all; on an idle one, all in a moment. So a
      // time bounds it, and counts that a busy machine reaches.
      let end = MonotonicClock.now + 1_000_000_000
      while number < 3_000 || removals.value < 3_000 || MonotonicClock.now < end {
        let key = Key(number)
        registry.set(number, for: key)
        registry.forEach { _, _ in }
        if registry.value(for: key) != number { lost += 1 }
        number += 1
      }
      return lost
    }
    #expect(lost == [0, 0])
  }

  @Test("a value for each key, in order; set again, it is replaced")
  func valuesByKey() {
    let registry = KeyedObservers<String>()
    let keys = (0..<3).map(Key.init)
    for key in keys { registry.set("value \(key.number)", for: key) }
    registry.set("new", for: keys[0])
    #expect(registry.value(for: keys[0]) == "new" && registry.value(for: keys[2]) == "value 2")
    var seen: [String] = []
    registry.forEach { _, value in seen.append(value) }
    #expect(seen == ["value 1", "value 2", "new"])
    registry.remove(keys[1])
    #expect(registry.value(for: keys[1]) == nil && registry.liveCount == 2 && !registry.isEmpty)
    withExtendedLifetime(keys) {}
  }

  @Test("keys are not kept alive, and their values are released with them")
  func keysAreWeak() {
    let lifetimes = Lifetimes()
    let values = Lifetimes()
    let registry = KeyedObservers<Tracked>()
    let survivor = Tracked(lifetimes, number: -1)
    registry.set(Tracked(values), for: survivor)
    for number in 0..<10_000 {
      registry.set(Tracked(values), for: Tracked(lifetimes, number: number))
      // Above 16 values, `set(_:for:)` must remove those of deallocated keys, so few more than 16 are alive.
      #expect(values.alive <= 18)
    }
    #expect(lifetimes.alive == 1 && registry.liveCount == 1)
    registry.removeDead()
    #expect(values.alive == 1 && registry.value(for: survivor) != nil)
  }

  @Test(
    "entries of dead keys stay until there are many, so that adding does not sweep each time",
    arguments: [0, 100])
  func sweepsAreRare(liveCount: Int) {
    let values = Lifetimes()
    let registry = KeyedObservers<Tracked>()
    let live = (0..<liveCount).map(Key.init)
    for key in live { registry.set(Tracked(values), for: key) }
    var keys = (0..<10).map(Key.init)
    for key in keys { registry.set(Tracked(values), for: key) }
    keys = []
    registry.set(Tracked(values), for: survivor)
    #expect(values.alive == liveCount + 11 && registry.liveCount == liveCount + 1)
    withExtendedLifetime(live) {}
  }

  @Test("a key that dies during an iteration is passed over")
  func keyDiesDuringIteration() {
    let registry = KeyedObservers<Int>()
    var keys = (0..<10).map { Optional(Key($0)) }
    for key in keys { registry.set(key!.number, for: key!) }
    var seen: [Int] = []
    registry.forEach { key, value in
      seen.append(value)
      // Of the keys not yet visited, one is deallocated and one removed. Another key is added. None of these
      // three may be visited.
      if value == 3 {
        keys[5] = nil
        registry.remove(keys[7]!)
        registry.set(10, for: survivor)
      }
      // The key that is being visited must live until its visit has ended.
      if value == 8 {
        keys[8] = nil
        #expect((key as? Key)?.number == 8)
      }
    }
    #expect(seen == [0, 1, 2, 3, 4, 6, 8, 9])
    #expect(registry.value(for: survivor) == 10 && registry.liveCount == 8)
    withExtendedLifetime(keys) {}
  }

  private let survivor = Key(100)

  @Test(
    "an address that is used again has no value of the dead key's",
    .enabled(if: !Sanitizer.isAddressSanitizerActive, "the sanitizer keeps memory from being used again"))
  func addressUsedAgain() {
    let registry = KeyedObservers<Int>()
    var addresses: Set<ObjectIdentifier> = []
    var reused = 0
    for number in 0..<2_000 {
      let key = Key(number)
      if !addresses.insert(ObjectIdentifier(key)).inserted { reused += 1 }
      #expect(registry.value(for: key) == nil)
      registry.set(number, for: key)
      #expect(registry.value(for: key) == number)
    }
    #expect(reused > 0, "no address was used again: the test shows nothing")
  }

  @Test("what ends may use the registry")
  func endsOutsideTheLock() {
    let ended = RelaxedCounter()
    let registry = KeyedObservers<Reentrant?>()
    let key = Key(1)
    registry.set(Reentrant(registry, ended), for: key)
    registry.set(Reentrant(registry, ended), for: key)
    registry.remove(key)
    registry.set(Reentrant(registry, ended), for: Key(2))
    registry.removeDead()
    #expect(ended.value == 3)
  }
}
