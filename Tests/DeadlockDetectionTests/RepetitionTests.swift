#if DeadlockDetection
  import AtomicProperties
  import DeadlockDetection
  import Foundation
  import Protectors
  import TestSupport
  import Testing
  import ThreadSupport
  import UnfairLocks

  /// Tests that many objects which show the same few mistakes cause only few reports.
  @Suite(.serialized) struct RepetitionTests {
    @Test("Transfers among accounts are one mistake", arguments: [[50, 1_000], [300, 3_000]])
    func transfersAreOneMistake(_ size: [Int]) async {
      await #expect(processExitsWith: .success) { [size = size as [Int]] in
        let reports = AtomicProperty(0)
        DeadlockDetector.setAction(.call { _ in reports.value += 1 })
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
        precondition(DeadlockDetector.repeatedReports > 100, "\(DeadlockDetector.repeatedReports)")
      }
    }

    @Test func anotherSiteIsAnotherMistake() async {
      await #expect(processExitsWith: .success) {
        let reports = AtomicProperty(0)
        DeadlockDetector.setAction(.call { _ in reports.value += 1 })
        let (first, second) = (Boxed(), Boxed())
        first.transfer(to: second)
        second.transfer(to: first)
        precondition(reports.value == 1)
        let (third, fourth) = (Boxed(), Boxed())
        third.refund(to: fourth)
        fourth.refund(to: third)
        precondition(reports.value == 2)
        precondition(DeadlockDetector.repeatedReports == 0)
      }
    }

    @Test("A cycle is found in every order of its edges, and no other one")
    func cyclesAreFoundInEveryOrderOfEdges() async {
      await #expect(processExitsWith: .success) {
        let reports = AtomicProperty(0)
        DeadlockDetector.setAction(.call { _ in reports.value += 1 })
        var random = SplitMix64(state: 3)
        for _ in 0..<200 {
          let count = Int.random(in: 3...12, using: &random)
          let locks = (0..<count).map { _ in Boxed() }
          var graph = Array(repeating: Array(repeating: false, count: count), count: count)
          for _ in 0..<3 * count {
            let from = Int.random(in: 0..<count, using: &random)
            let to = Int.random(in: 0..<count, using: &random)
            if from == to { continue }
            let before = reports.value + DeadlockDetector.repeatedReports
            locks[from].transfer(to: locks[to])
            let isFound = reports.value + DeadlockDetector.repeatedReports > before
            precondition(isFound == (!graph[from][to] && isReachable(from, from: to, graph)))
            graph[from][to] = true
          }
        }
      }
    }

    @Test func knownAcquisitionsStayKnownAmongManyPairs() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.setAction(.trap)
        let locks = (0..<150).map { _ in Boxed() }
        for _ in 0..<3 {
          for first in 0..<150 {
            for second in first + 1..<150 { locks[first].transfer(to: locks[second]) }
          }
        }
        precondition(DeadlockDetector.remembered.pairs == 150 * 149 / 2, "\(DeadlockDetector.remembered)")
      }
    }

    @Test func aThreadWithMoreLocksThanAreTrackedIsReportedOnce() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        DeadlockDetector.setAction(.trap)
        func lock(_ count: Int) {
          if count > 0 { Boxed().lock.withLock { lock(count - 1) } }
        }
        lock(64)
        DeadlockDetector.noLockMayBeHeld()
        lock(66)
        lock(66)
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.components(separatedBy: "holds more than 64 locks").count == 2, "\(text)")
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
