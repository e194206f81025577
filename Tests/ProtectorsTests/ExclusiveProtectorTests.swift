import Protectors
import TestSupport
import Testing

/// A class that is not `Sendable`.
private final class Cache {
  var entries: [Int: String] = [:]
  var misses = 0

  func entry(_ key: Int) -> String {
    if let entry = entries[key] { return entry }
    misses += 1
    let entry = "entry \(key)"
    entries[key] = entry
    return entry
  }
}

@Suite struct ExclusiveProtectorTests {
  @Test func protectsAnObjectThatIsNotSendable() {
    let cache = ExclusiveProtector(Cache())
    let rounds = StressSize.pick(quick: 1_000, full: 50_000)
    let wrongEntries = race(threads: 4) { _ in
      (0..<rounds).count { round in
        cache.withLock { $0.entry(round % 10) } != "entry \(round % 10)"
      }
    }
    #expect(wrongEntries.allSatisfy { $0 == 0 })
    #expect(cache.withLock { $0.misses } == 10)
  }

  @Test func protectsAStructOfThingsThatAreNotSendable() {
    struct State {
      var cache = Cache()
      var count = 0
    }
    let state = ExclusiveProtector(State())
    race(threads: 4) { index in
      for _ in 0..<500 {
        state.withLock { state in
          state.count += 1
          _ = state.cache.entry(index)
        }
      }
    }
    #expect(state.withLock { $0.count } == 2_000)
    #expect(state.withLock { $0.cache.misses } == 4)
  }

  @Test func sectionsThatOnlyReadExcludeOneAnother() {
    let number = ExclusiveProtector(1)
    let inside = RelaxedCounter()
    let meetings = race(threads: 4) { _ in
      (0..<1_000).count { round in
        number.withLock { _ in
          let isMeeting = inside.add(1) != 1
          if round % 8 == 0 { PlatformThread.yield() }
          inside.add(-1)
          return isMeeting
        }
      }
    }
    #expect(meetings.allSatisfy { $0 == 0 })
  }

  @Test func replacedValuesEndOutsideTheSection() {
    final class Caller: Sendable {
      let call: @Sendable () -> Void
      init(_ call: @escaping @Sendable () -> Void) { self.call = call }
      deinit { call() }
    }
    let ended = RelaxedCounter()
    let object = ExclusiveProtector<Caller?>(nil)
    object.exchange(Caller { object.withLock { _ in _ = ended.add(1) } })
    object.exchange(Caller { object.withLock { _ in _ = ended.add(1) } })
    #expect(ended.value == 1)
    object.exchange { _ in nil }
    #expect(ended.value == 2)
    let put = { object.exchange(Caller { object.withLock { _ in _ = ended.add(1) } }) }
    _ = put()
    _ = object.withLock { $0.take() }
    #expect(ended.value == 3)
    _ = put()
    _ = object.withLock(waitingUntil: { $0 != nil }) { $0.take() }
    #expect(ended.value == 4)
    _ = put()
    _ = object.withLock(timeout: .zero) { $0.take() }
    #expect(ended.value == 5)
    #expect(object.value == nil)
  }

  @Test func aSectionWaitsUntilThePredicateHolds() {
    let letters = ExclusiveProtector<[Cache]>([])
    let misses = race(threads: 2) { index in
      if index == 0 {
        letters.withLock(waitingUntil: { $0.isEmpty }, sending: Cache()) { letters, cache in
          letters.append(cache)
        }
        return 0
      }
      return letters.withLock(waitingUntil: { !$0.isEmpty }) { letters in
        let cache = letters.removeFirst()
        _ = cache.entry(1)
        return cache.misses
      }
    }
    #expect(misses == [0, 1])
  }

  @Test func aWaitForAPredicateTimesOut() {
    let number = ExclusiveProtector(1)
    #expect(number.withLock(waitingUntil: { $0 == 2 }, timeout: .zero) { $0 } == nil)
    #expect(!number.withLock(waitingUntil: { $0 == 2 }, timeout: .milliseconds(1)) { $0 = 3 })
    #expect(number.withLock(waitingUntil: { $0 == 1 }, timeout: .milliseconds(1)) { $0 = 3 })
    #expect(number.withLock(waitingUntil: { $0 == 3 }, timeout: nil) { $0 } == 3)
  }
}
