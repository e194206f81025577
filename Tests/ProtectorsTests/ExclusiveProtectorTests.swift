import Protectors
import TestSupport
import Testing
import UnfairLocks

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
        cache.withWriteLock { $0.entry(round % 10) } != "entry \(round % 10)"
      }
    }
    #expect(wrongEntries.allSatisfy { $0 == 0 })
    #expect(cache.withWriteLock { $0.misses } == 10)
  }

  @Test func protectsAStructOfThingsThatAreNotSendable() {
    struct State {
      var cache = Cache()
      var count = 0
    }
    let state = ExclusiveProtector(State())
    race(threads: 4) { index in
      for _ in 0..<500 {
        state.withWriteLock { state in
          state.count += 1
          _ = state.cache.entry(index)
        }
      }
    }
    #expect(state.withWriteLock { $0.count } == 2_000)
    #expect(state.withWriteLock { $0.cache.misses } == 4)
  }

  @Test func readsOfSendableValuesExcludeOneAnother() {
    let number = ExclusiveProtector(1)
    let inside = RelaxedCounter()
    let meetings = race(threads: 4) { _ in
      (0..<1_000).count { round in
        number.withReadLock { _ in
          let isMeeting = inside.add(1) != 1
          if round % 8 == 0 { PlatformThread.yield() }
          inside.add(-1)
          return isMeeting
        }
      }
    }
    #expect(meetings.allSatisfy { $0 == 0 })
  }

  @Test func isAProtectorWithTheUnfairLock() {
    let named: LockProtector<Int, UnfairLock> = ExclusiveProtector(1)
    let explicit = LockProtector(2, lock: UnfairLock())
    #expect(named.withReadLock { $0 } + explicit.withReadLock { $0 } == 3)
  }
}
