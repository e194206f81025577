import CForking
import CInterlock
import CParkingTable
import Foundation
import InterlockCore
import TestSupport
import Testing

extension LockWord {
  /// Waits through the parking table, as `LockWord` does on Apple systems before macOS 14.4; returns 0 or an
  /// error number.
  @discardableResult
  fileprivate borrowing func park(while expected: UInt32, until deadline: UInt64 = .max) -> Int32 {
    withAddress { interlock_parking_wait($0, expected, deadline) }
  }

  @discardableResult
  fileprivate borrowing func unpark(count: Int32 = .max) -> Int {
    withAddress { Int(interlock_parking_wake($0, count)) }
  }

  /// Calls `unpark(count: atOnce)` repeatedly, until at least `count` threads were woken.
  ///
  /// Returns the number of threads that each call has woken, which can be 0.
  fileprivate borrowing func unparkAll(_ count: Int, atOnce: Int32 = .max) -> [Int] {
    var reached: [Int] = []
    while reached.reduce(0, +) < count {
      reached.append(unpark(count: atOnce))
      PlatformThread.yield()
    }
    return reached
  }
}

/// A mutex on a futex word: 0 is free, 1 is held, and 2 is held with threads that may be waiting.
private final class ParkingMutex: Sendable {
  let word = LockWord()

  /// Acquires the mutex.
  ///
  /// Each wait lasts at most `timeout` nanoseconds, and then begins again; `nil` sets no limit.
  func lock(timeout: UInt64?) {
    if word.compareExchangeAcquiring(expected: 0, desired: 1).exchanged { return }
    while word.exchangeSequentiallyConsistent(2) != 0 {
      let deadline = timeout.map { interlock_monotonic_ns() + $0 } ?? .max
      word.park(while: 2, until: deadline)
    }
  }

  func unlock() {
    if word.exchangeReleasing(0) == 2 { word.unpark(count: 1) }
  }
}

@Suite struct ParkingTableTests {
  private final class Words: Sendable {
    let word = LockWord()
  }

  @Test func doesNotWaitWhenTheValueDiffers() {
    let word = LockWord(1)
    let result = onAnotherThread { word.park(while: 0) }
    #expect(result == EAGAIN)
    #expect(word.unpark() == 0)
  }

  @Test func aWakeUpEndsAWait() {
    let word = LockWord()
    let results = race(threads: 2) { index -> Int32 in
      if index == 0 { return word.park(while: 0) }
      _ = word.unparkAll(1)
      return 0
    }
    #expect(results == [0, 0])
  }

  @Test func aWakeUpReachesNoMoreThanItsCount() {
    let word = LockWord()
    let reached = race(threads: 5) { index -> [Int] in
      if index == 4 { return word.unparkAll(4, atOnce: 2) }
      word.park(while: 0)
      return []
    }[4]
    #expect(reached.allSatisfy { $0 <= 2 })
    #expect(reached.reduce(0, +) == 4)
    #expect(word.unpark() == 0)
  }

  /// The test uses more words than the table has buckets, so some words share a bucket.
  @Test func aWakeUpReachesOnlyThreadsOfItsAddress() {
    let words = (0..<80).map { _ in Words() }
    let woken = (0..<80).map { _ in RelaxedFlag() }
    race(threads: words.count + 1) { index in
      guard index == words.count else {
        words[index].word.park(while: 0)
        #expect(woken[index].isSet, "thread \(index) was woken by a wake-up of another address")
        return
      }
      for (number, words) in words.enumerated() {
        woken[number].set()
        #expect(words.word.unparkAll(1).last == 1)
      }
    }
  }

  @Test(arguments: [1, 50_000, 1_000_001, 5_000_000] as [UInt64])
  func timesOutNotEarlyAndLeavesTheList(nanoseconds: UInt64) {
    let word = LockWord()
    for _ in 0..<10 {
      let (result, lateness) = onAnotherThread {
        let deadline = interlock_monotonic_ns() + nanoseconds
        let result = word.park(while: 0, until: deadline)
        return (result, Int64(interlock_monotonic_ns()) - Int64(deadline))
      }
      #expect(result == ETIMEDOUT)
      #expect(lateness >= 0)
      #expect(word.unpark() == 0)
    }
  }

  @Test func aWaitUntilAPastDeadlineTimesOut() {
    let word = LockWord()
    #expect(onAnotherThread { word.park(while: 0, until: 1) } == ETIMEDOUT)
    #expect(word.unpark() == 0)
  }

  @Test func aWaitThatTimesOutConsumesNoWakeUp() {
    // Each wake-up that reached a thread must have ended one wait with the result 0. A wait that timed out
    // must have consumed no wake-up.
    let word = LockWord()
    let rounds = StressSize.pick(quick: 2_000, full: 200_000)
    let counts = race(threads: 2) { index -> Int in
      if index == 0 {
        var woken = 0
        for round in 0..<rounds {
          let result = word.park(while: 0, until: interlock_monotonic_ns() + UInt64(round % 40) * 1_000)
          if result == 0 { woken += 1 }
        }
        _ = word.exchangeReleasing(1)
        return woken
      }
      var woken = 0
      while word.loadAcquiring() == 0 {
        woken += word.unpark(count: 1)
      }
      return woken
    }
    #expect(counts[0] == counts[1])
  }

  /// A wake-up must not read the word, which may have been freed already.
  @Test func aWakeUpReadsNoMemory() {
    #expect(interlock_parking_wake(UnsafePointer(bitPattern: 64), .max) == 0)
  }

  @Test(arguments: [nil, 20_000] as [UInt64?])
  func noWakeUpIsLost(timeout: UInt64?) {
    // Without a timeout, a lost wake-up hangs the test.
    let mutex = ParkingMutex()
    let counter = Unguarded(0)
    let rounds = StressSize.pick(quick: 3_000, full: 300_000)
    race(threads: 4) { _ in
      for round in 0..<rounds {
        mutex.lock(timeout: timeout)
        counter.value += 1
        // The others come to wait.
        if round % 64 == 0 { PlatformThread.yield() }
        mutex.unlock()
      }
    }
    #expect(counter.value == 4 * rounds)
    #expect(mutex.word.unpark() == 0)
  }

  @Test func twoThreadsTakeTurns() {
    let word = LockWord()
    let rounds: UInt32 = StressSize.pick(quick: 3_000, full: 300_000)
    race(threads: 2) { index in
      for round in 0..<rounds {
        let mine = 2 * round + UInt32(index)
        while true {
          let value = word.loadAcquiring()
          if value == mine { break }
          word.park(while: value)
        }
        word.addReleasing(1)
        word.unpark(count: 1)
      }
    }
    #expect(word.loadRelaxed() == 2 * rounds)
  }

  // MARK: After a fork

  /// The word on which a thread of the parent waits.
  private static let parentsWord = LockWord()

  @Test(.disabled(if: Sanitizer.isThreadSanitizerActive, "it does not support a fork with threads"))
  func aForkedChildHasAnEmptyTable() {
    race(threads: 2) { index in
      if index == 0 {
        Self.parentsWord.park(while: 0)
        return
      }
      // Waits 50 ms, after which the other thread most probably waits in the parent. If it does not, the test
      // proves nothing.
      LockWord().park(while: 0, until: interlock_monotonic_ns() + 50_000_000)
      let finding = in_forked_child {
        if Self.parentsWord.unpark() != 0 { return 1 }
        let word = LockWord()
        return word.park(while: 0, until: interlock_monotonic_ns() + 1_000_000) == ETIMEDOUT ? 0 : 2
      }
      #expect(finding == 0)
      #expect(Self.parentsWord.unparkAll(1).last == 1, "the thread of the parent waits on")
    }
  }

  @Test(.disabled(if: Sanitizer.isThreadSanitizerActive, "it does not support a fork with threads"))
  func aForkWhileOthersWaitAndWakeLeavesAUsableTable() {
    let word = LockWord()
    race(threads: 3) { index in
      guard index == 2 else {
        while word.loadAcquiring() == 0 {
          word.park(while: 0, until: interlock_monotonic_ns() + 10_000)
          word.unpark(count: 1)
        }
        return
      }
      var finding: Int32 = 0
      for _ in 0..<20 where finding == 0 {
        // The child uses all buckets. A bucket's mutex that stayed locked at the fork would hang the child.
        finding = in_forked_child {
          // Not a range, whose types the child would ask Swift's runtime for: see `in_forked_child`.
          var number = 1
          while number <= 1_000 {
            if interlock_parking_wake(UnsafePointer(bitPattern: 4 * number), 1) != 0 { return 1 }
            number += 1
          }
          return 0
        }
      }
      #expect(finding == 0)
      _ = word.exchangeReleasing(1)
      word.unpark()
    }
  }
}
