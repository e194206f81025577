import CTestSupport
import Foundation
import InterlockCore
import TestSupport
import Testing

@testable import InterlockServices
@_spi(Benchmarks) @testable import Snapshots

@Suite(.serialized) struct ReclamationTests {
  private let lifetimes = Lifetimes()

  @Test func everyReplacedValueIsFreedOnce() {
    let rounds = StressSize.pick(quick: 5_000, full: 500_000)
    do {
      let cell = Snapshot(Tracked(lifetimes))
      race(threads: 4) { index in
        for round in 0..<rounds {
          if index < 2 {
            cell.publish(Tracked(lifetimes, number: round))
          } else {
            _ = cell.current.number
            _ = cell.withCurrent { $0.number }
          }
        }
      }
      eventually { lifetimes.alive == 1 }
      #expect(lifetimes.made == 2 * rounds + 1)
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func aReaderKeepsItsValueAlive() {
    let cell = Snapshot(TrackedToken(lifetimes, number: 1))
    cell.withCurrent { value in
      for number in 2...100 { cell.publish(TrackedToken(lifetimes, number: number)) }
      // Only the current value and the value that is being read must stay alive.
      eventually { lifetimes.alive == 2 }
      let number = value.number
      #expect(number == 1)
    }
    eventually { lifetimes.alive == 1 }
  }

  @Test func aReaderInALinkedBlockKeepsItsValueAlive() {
    let cells = (0..<3 * HazardBlock.slotCount).map { Snapshot(TrackedToken(lifetimes, number: $0)) }
    func read(from index: Int) {
      guard index < cells.count else {
        for cell in cells { cell.publish(TrackedToken(lifetimes, number: -1)) }
        let other = Snapshot(TrackedToken(lifetimes))
        other.publish(TrackedToken(lifetimes))
        // Each cell must keep two values alive: the current one, and the one that is being read. `other` has
        // no reader, so it must keep only its current value.
        eventually { lifetimes.alive == 2 * cells.count + 1 }
        return
      }
      cells[index].withCurrent {
        read(from: index + 1)
        let number = $0.number
        #expect(number == index)
      }
    }
    read(from: 0)
    eventually { lifetimes.alive == cells.count }
  }

  @Test func aDeinitPublishesToTheSameCell() {
    final class Link: Sendable {
      let rest: Int
      let lifetimes: Lifetimes
      let cell: Snapshot<Link?>
      let tracked: Tracked

      init(_ rest: Int, _ lifetimes: Lifetimes, _ cell: Snapshot<Link?>) {
        self.rest = rest
        self.lifetimes = lifetimes
        self.cell = cell
        tracked = Tracked(lifetimes)
      }

      deinit { if rest > 0 { cell.publish(Link(rest - 1, lifetimes, cell)) } }
    }
    let cell = Snapshot<Link?>(nil)
    cell.publish(Link(3, lifetimes, cell))
    // The `deinit` of each replaced link publishes the next link, which the next round replaces.
    for made in 2...4 {
      cell.publish(nil)
      eventually { lifetimes.made == made }
      eventually { cell.withCurrent { $0 != nil } }
    }
    cell.publish(nil)
    eventually { lifetimes.alive == 0 }
    #expect(lifetimes.made == 4)
  }

  @Test func threadsThatEndGiveTheirBlocksBack() {
    let cell = Snapshot(1)
    @Sendable func readNested(_ depth: Int) -> Int {
      depth == 0 ? 0 : cell.withCurrent { $0 + readNested(depth - 1) }
    }
    let before = HazardRegistry.counts.all
    for _ in 0..<200 { race(threads: 4) { _ in _ = readNested(2 * HazardBlock.slotCount + 1) } }
    // Without reuse, each of the 800 threads would add three blocks. Tests that run at the same time add
    // fewer.
    #expect(HazardRegistry.counts.all - before < 200)
  }

  @Test func threadsThatHaveReadOnceAndSleepCostTheirBlocksAlone() {
    let cell = Snapshot(Tracked(lifetimes))
    let count = StressSize.pick(quick: 300, full: 3_000)
    let meeting = MeetingPoint(parties: count + 1)
    concurrently(
      {
        race(threads: count) { _ in
          _ = cell.current.number
          meeting.meet()
          meeting.meet()
        }
      },
      {
        meeting.meet()
        cell.publish(Tracked(lifetimes))
        eventually { lifetimes.alive == 1 }
        meeting.meet()
      })
  }

  /// The limit of 50 barriers in a second must hold for all snapshots of the process together, including
  /// those of tests that run at the same time.
  @Test func manySnapshotsStayWithinFiftyBarriersInASecond() {
    let cells = (0..<1_000).map { Snapshot(Tracked(lifetimes, number: $0)) }
    let publications = StressSize.pick(quick: 10_000, full: 100_000)
    let before = SnapshotReclamation.barrierCount
    // The count is read inside the measured time, because the thread may be preempted on either side of it.
    let (barriers, elapsed) = MonotonicClock.measure {
      let before = SnapshotReclamation.barrierCount
      race(threads: 2) { index in
        var last = MonotonicClock.now
        for number in 0..<publications / 2 {
          cells[(number * 2 + index) % 1_000].publish(Tracked(lifetimes))
          // 10 000 publications in a second.
          while MonotonicClock.now &- last < 200_000 { _ = cells[number % 1_000].current.number }
          last += 200_000
        }
      }
      return SnapshotReclamation.barrierCount - before
    }
    // Barriers are at least 20 ms apart. One more is possible if the measured time begins and ends with one.
    #expect(Double(barriers) <= 50 * (elapsed / .seconds(1)) + 1)
    withExtendedLifetime(cells) { eventually { lifetimes.alive == 1_000 } }
    if SnapshotReclamation.hasBarrier { #expect(SnapshotReclamation.barrierCount > before) }
  }

  #if os(Linux)
    /// In a process of its own, because the memory of other tests would count.
    @Test func publicationsBesideReadersLeaveMemoryWhereItWas() async {
      await #expect(processExitsWith: .success) {
        let lifetimes = Lifetimes()
        let cell = Snapshot(Tracked(lifetimes))
        // In a quick run without a sanitizer, 20 rounds make a million publications.
        let rounds = 20
        let publications = StressSize.pick(quick: Sanitizer.isActive ? 10_000 : 50_000, full: 500_000)
        func publish() {
          race(threads: 3) { index in
            for number in 0..<publications {
              if index == 0 {
                cell.publish(Tracked(lifetimes, number: number))
              } else {
                _ = cell.current.number
              }
            }
          }
          eventually { lifetimes.alive == 1 }
        }
        publish()
        let before = ResidentMemory.bytes
        for _ in 0..<rounds { publish() }
        // A replaced value takes at least 96 bytes, so leaking all of them would add twice this bound. The
        // allocator may keep some memory.
        let growth = ResidentMemory.bytes - before
        precondition(growth < 10 * 96 * publications || Sanitizer.isActive, "\(growth) bytes more")
        // All values have been made, and only the current one is alive, so each replaced value was freed
        // exactly once.
        precondition(lifetimes.made == (rounds + 1) * publications + 1)
        precondition(lifetimes.alive == 1)
        withExtendedLifetime(cell) {}
      }
    }
  #endif

  /// Tasks that publish on all threads of the pool leave no thread of the pool to free what they replace.
  ///
  /// While they publish, all values made before the beginning of a round are freed in the round.
  @Test(arguments: [2, 4])
  func publishersOnAllProcessorsLeaveNothingToTheirEnd(publishers: Int) async {
    struct Large: Sendable {
      let tracked: Tracked
      let filling: [128 of Int]
    }
    let cell = Snapshot(Large(tracked: Tracked(lifetimes), filling: .init(repeating: 0)))
    let rounds = StressSize.pick(quick: Sanitizer.isActive ? 5 : 20, full: 200)
    let hasEnded = RelaxedFlag()
    async let allRounds: Void = onAThread {
      for _ in 0..<rounds {
        let made = lifetimes.made
        eventually { lifetimes.destroyed >= made }
      }
      hasEnded.set()
    }
    await withTaskGroup { group in
      for _ in 0..<publishers {
        group.addTask {
          while !hasEnded.isSet {
            cell.publish(Large(tracked: Tracked(lifetimes), filling: .init(repeating: 1)))
          }
        }
      }
    }
    await allRounds
    eventually { lifetimes.alive == 1 }
    withExtendedLifetime(cell) {}
  }

  /// Blocks in its `deinit`.
  private final class Slow: Sendable {
    let isEnding = Signal()
    let mayEnd = Signal()

    deinit {
      isEnding.send()
      mayEnd.wait()
    }
  }

  /// A `deinit` that takes long makes the values of its snapshot late, so each publication sleeps.
  @Test(.enabled(if: test_sleeps() >= 0, "the system does not count how often a thread sleeps"))
  func publishersSleepWhileNothingIsFreed() async {
    await #expect(processExitsWith: .success) {
      let slow = Slow()
      let (isEnding, mayEnd) = (slow.isEnding, slow.mayEnd)
      let cell = Snapshot<Slow?>(consume slow)
      cell.publish(nil)
      isEnding.wait()
      cell.publish(nil)
      // From now on the values are late because of the call, 60 ms after it has begun, and stay so.
      eventually { Reclaimer.stuckCalls.load(.relaxed) > 0 }
      MonotonicClock.sleep(.milliseconds(100))
      let before = test_sleeps()
      // A thread that is preempted until its time has passed need not sleep.
      for _ in 0..<10 { cell.publish(nil) }
      precondition(test_sleeps() - before >= 5)
      mayEnd.send()
      withExtendedLifetime(cell) {}
    }
  }

  /// A value whose `deinit` blocks holds up the later ones of its snapshot, and no others.
  @Test func aDeinitThatBlocksHoldsUpItsSnapshotAlone() {
    let others = Lifetimes()
    let slow = Slow()
    let (isEnding, mayEnd) = (slow.isEnding, slow.mayEnd)
    do {
      let cell = Snapshot<(Slow?, Tracked)>((consume slow, Tracked(lifetimes)))
      let other = Snapshot(Tracked(others))
      cell.publish((nil, Tracked(lifetimes)))
      isEnding.wait()
      let (address, othersAddress) = (ObjectIdentifier(cell), ObjectIdentifier(other))
      // A scan that has freed the other snapshot's value has also found what was replaced before.
      for round in 0..<3 {
        cell.publish((nil, Tracked(lifetimes)))
        other.publish(Tracked(others))
        eventually { others.alive == 1 }
        #expect(lifetimes.alive == 3 + round)
      }
      eventually {
        other.publish(Tracked(others))
        return Reclaimer.isLate(UInt(bitPattern: address))
          && !Reclaimer.isLate(UInt(bitPattern: othersAddress))
      }
      mayEnd.send()
      eventually { lifetimes.alive == 1 }
      eventually {
        other.publish(Tracked(others))
        return !Reclaimer.isLate(UInt(bitPattern: address))
      }
    }
    #expect(lifetimes.alive == 0)
  }

  #if os(Linux)
    /// The system refuses a thread.
    @Test(.enabled(if: !Sanitizer.isActive, "a sanitizer needs more memory than the limit leaves"))
    func valuesAreFreedWithoutANewThread() async {
      await #expect(processExitsWith: .success) {
        let lifetimes = Lifetimes()
        let cell = Snapshot(Tracked(lifetimes))
        let size = rlim_t(ResidentMemory.addressSpace + 1 << 20)
        var limit = rlimit(rlim_cur: size, rlim_max: size)
        precondition(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
        precondition(!PlatformThread.startDetached {})
        for _ in 0..<3 {
          for _ in 0..<10 { cell.publish(Tracked(lifetimes)) }
          while lifetimes.alive > 1 { await Task.yield() }
          // Until the next publication starts a thread again.
          while Reclaimer.service.hasThread { await Task.yield() }
        }
        withExtendedLifetime(cell) {}
      }
    }
  #endif

  @Test func aCellThatEndsFreesItsValue() {
    race(threads: 2) { _ in
      for _ in 0..<200 {
        let cell = Snapshot(Tracked(lifetimes))
        cell.publish(Tracked(lifetimes))
        _ = cell.current.number
      }
    }
    eventually { lifetimes.alive == 0 }
  }
}
