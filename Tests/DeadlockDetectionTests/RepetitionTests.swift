#if DeadlockDetection
  import AtomicProperties
  import DeadlockDetection
  import InterlockCore
  import Exploration
  import Foundation
  import Protectors
  import ReadWriteLocks
  import TestSupport
  import Testing
  import UnfairLocks

  /// Tests that many objects which show the same few mistakes cause only few reports.
  @Suite(.serialized) struct RepetitionTests {
    @Test("Transfers among accounts are one mistake", arguments: [[50, 1_000], [300, 3_000]])
    func transfersAreOneMistake(_ size: [Int]) async {
      await #expect(processExitsWith: .success) { [size = size as [Int]] in
        let reports = AtomicProperty(0)
        DeadlockDetector.action = .call { _ in reports.value += 1 }
        let accounts = (0..<size[0]).map { _ in Boxed() }
        var random = SplitMix64(state: 7)
        for _ in 0..<size[1] {
          let first = Int.random(in: 0..<size[0], using: &random)
          let second = Int.random(in: 0..<size[0], using: &random)
          if first == second { continue }
          if Bool.random(using: &random) {
            accounts[first].transfer(to: accounts[second])
          } else {
            accounts[first].refund(to: accounts[second])
          }
        }
        // Only two places in the code can cause a report: `transfer` and `refund`.
        precondition((1...2).contains(reports.value), "\(reports.value)")
        precondition(Detector.shared.repeatedReports > 100, "\(Detector.shared.repeatedReports)")
      }
    }

    @Test func anotherSiteIsAnotherMistake() async {
      await #expect(processExitsWith: .success) {
        let reports = AtomicProperty(0)
        DeadlockDetector.action = .call { _ in reports.value += 1 }
        let (first, second) = (Boxed(), Boxed())
        first.transfer(to: second)
        second.transfer(to: first)
        precondition(reports.value == 1)
        let (third, fourth) = (Boxed(), Boxed())
        third.refund(to: fourth)
        fourth.refund(to: third)
        precondition(reports.value == 2)
        precondition(Detector.shared.repeatedReports == 0)
      }
    }

    @Test("A cycle is found in every order of its edges, and no other one")
    func cyclesAreFoundInEveryOrderOfEdges() async {
      await #expect(processExitsWith: .success) {
        let reports = AtomicProperty(0)
        DeadlockDetector.action = .call { _ in reports.value += 1 }
        var random = SplitMix64(state: 3)
        for _ in 0..<200 {
          let count = Int.random(in: 3...12, using: &random)
          let locks = (0..<count).map { _ in Boxed() }
          var graph = Array(repeating: Array(repeating: false, count: count), count: count)
          for _ in 0..<3 * count {
            let from = Int.random(in: 0..<count, using: &random)
            let to = Int.random(in: 0..<count, using: &random)
            if from == to { continue }
            let before = reports.value + Detector.shared.repeatedReports
            locks[from].transfer(to: locks[to])
            let isFound = reports.value + Detector.shared.repeatedReports > before
            precondition(isFound == (!graph[from][to] && isReachable(from, from: to, graph)))
            graph[from][to] = true
          }
        }
      }
    }

    @Test func knownAcquisitionsStayKnownAmongManyPairs() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.action = .trap
        let locks = (0..<150).map { _ in Boxed() }
        for _ in 0..<3 {
          for first in 0..<150 {
            for second in first + 1..<150 { locks[first].transfer(to: locks[second]) }
          }
        }
        precondition(Detector.shared.remembered.pairs == 150 * 149 / 2, "\(Detector.shared.remembered)")
      }
    }

    @Test func aThreadWithMoreLocksThanAreTrackedIsNotReported() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.action = .call { report in preconditionFailure(report.text) }
        func lock(_ count: Int) {
          if count > 0 { Boxed().lock.withLock { lock(count - 1) } }
        }
        lock(66)
        DeadlockDetector.noLockMayBeHeld()
      }
    }

    @Test("More locks than are tracked may be released in any order", arguments: [66, 70])
    func manyLocksAreReleasedInAnyOrder(count: Int) async {
      await #expect(processExitsWith: .success) { [count = count as Int] in
        DeadlockDetector.action = .trap
        onAnotherThread {
          let unfair = (0..<count).map { _ in Boxed() }
          let compact = (0..<count).map { _ in Shared() }
          for isForward in [true, false] {
            for box in unfair { unsafe box.lock.unsafeLock() }
            for box in isForward ? unfair : unfair.reversed() { unsafe box.lock.unsafeUnlock() }
            precondition(Probe.heldCount == 0, "\(Probe.heldCount) exclusive")
            for box in compact { unsafe box.lock.unsafeReadLock() }
            for box in isForward ? compact : compact.reversed() { unsafe box.lock.unsafeReadUnlock() }
            precondition(Probe.heldCount == 0, "\(Probe.heldCount) for reading")
            for box in compact { unsafe box.lock.unsafeWriteLock() }
            for box in isForward ? compact : compact.reversed() { unsafe box.lock.unsafeWriteUnlock() }
            precondition(Probe.heldCount == 0, "\(Probe.heldCount) for writing")
          }
        }
        DeadlockDetector.noLockMayBeHeld()
      }
    }

    @Test func theFirstLockTrapsWithoutAKeyForThreadLocalValues() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        var key = pthread_key_t()
        while pthread_key_create(&key, nil) == 0 {}
        UnfairLock().withLock {}
      }
      #expect(
        result?.standardErrorContent.trap
          == "modules: the system refused a key for thread-local values; use less memory and fewer keys of "
          + "pthread_key_create")
    }

    private final class Shared: Sendable {
      let lock = CompactReadWriteLock(label: "shared")
    }

    private final class Boxed: Sendable {
      let lock = UnfairLock(label: "account")

      func transfer(to other: Boxed) { lock.withLock { other.lock.withLock {} } }

      func refund(to other: Boxed) { lock.withLock { other.lock.withLock {} } }
    }
  }

  private func isReachable(_ target: Int, from start: Int, _ graph: [[Bool]]) -> Bool {
    var seen: Set<Int> = [start]
    var open = [start]
    while let node = open.popLast() {
      if node == target { return true }
      for next in graph.indices where graph[node][next] && seen.insert(next).inserted { open.append(next) }
    }
    return false
  }
#endif
