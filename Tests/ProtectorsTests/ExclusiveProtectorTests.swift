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
}
