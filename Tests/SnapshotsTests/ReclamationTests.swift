import CForking
import TestSupport
import Testing

@testable import Snapshots

@Suite(.serialized) struct ReclamationTests {
  @Test func everyReplacedValueIsFreedOnce() {
    let lifetimes = Lifetimes()
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
    let lifetimes = Lifetimes()
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
    let lifetimes = Lifetimes()
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
    let lifetimes = Lifetimes()
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
    let lifetimes = Lifetimes()
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
    let lifetimes = Lifetimes()
    let cells = (0..<1_000).map { Snapshot(Tracked(lifetimes, number: $0)) }
    let publications = StressSize.pick(quick: 10_000, full: 100_000)
    let before = SnapshotReclamation.barrierCount
    let (_, elapsed) = MonotonicClock.measure {
      race(threads: 2) { index in
        var last = MonotonicClock.now
        for number in 0..<publications / 2 {
          cells[(number * 2 + index) % 1_000].publish(Tracked(lifetimes))
          // 10 000 publications in a second.
          while MonotonicClock.now &- last < 200_000 { _ = cells[number % 1_000].current.number }
          last += 200_000
        }
      }
    }
    let barriers = SnapshotReclamation.barrierCount - before
    // Barriers are at least 20 ms apart. One more is possible if the measured time begins and ends with one.
    #expect(Double(barriers) <= 50 * (elapsed / .seconds(1)) + 1)
    if SnapshotReclamation.hasBarrier { #expect(barriers > 0) }
    eventually { lifetimes.alive == 1_000 }
  }

  #if os(Linux)
    @Test func publicationsBesideReadersLeaveMemoryWhereItWas() {
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
      #expect(ResidentMemory.bytes - before < 10 * 96 * publications || Sanitizer.isActive)
      // All values have been made, and only the current one is alive, so each replaced value was freed
      // exactly once.
      #expect(lifetimes.made == (rounds + 1) * publications + 1)
      #expect(lifetimes.alive == 1)
    }
  #endif

  @Test func aCellThatEndsFreesItsValue() {
    let lifetimes = Lifetimes()
    race(threads: 2) { _ in
      for _ in 0..<200 {
        let cell = Snapshot(Tracked(lifetimes))
        cell.publish(Tracked(lifetimes))
        _ = cell.current.number
      }
    }
    eventually { lifetimes.alive == 0 }
  }

  #if os(Linux)
    /// A child made by `fork` has only the thread that called `fork`.
    ///
    /// It must free replaced values itself, although another thread of the parent was reading one at the
    /// fork.
    @Test func aForkedChildReadsPublishesAndFrees() async {
      let result = await #expect(processExitsWith: .success) {
        Trap.orDie()
        let reads = MeetingPoint(parties: 2)
        concurrently(
          {
            ForkedCell.cell.withCurrent { _ in
              reads.meet()
              reads.meet()
            }
          },
          {
            reads.meet()
            let status = in_forked_child {
              for number in 1...10 { ForkedCell.cell.publish(Tracked(ForkedCell.lifetimes, number: number)) }
              guard ForkedCell.cell.current.number == 10 else { return 1 }
              while ForkedCell.lifetimes.alive > 2 {
                MonotonicClock.sleep(.milliseconds(21))
                ForkedCell.cell.publish(Tracked(ForkedCell.lifetimes))
              }
              return 7
            }
            precondition(status == 7, "the child ended with \(status)")
            reads.meet()
          })
      }
      _ = result
    }
  #endif
}

private enum ForkedCell {
  static let lifetimes = Lifetimes()
  static let cell = Snapshot(Tracked(lifetimes))
}
