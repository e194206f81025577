#if os(Linux)
  import CForking
  import TestSupport
  import Testing
  import UnfairLocks

  @testable import Snapshots

  /// Snapshots in a child made by `fork`.
  ///
  /// Not under ThreadSanitizer: with it, each access to a global holds a lock for a moment, and the child
  /// waits forever for a lock that the parent's reclaimer held at the fork.
  @Suite(.serialized) struct ForkedSnapshotTests {
    /// A child made by `fork` has only the thread that called `fork`.
    ///
    /// It must free replaced values itself, although another thread of the parent was reading one at the
    /// fork.
    @Test func aForkedChildReadsPublishesAndFrees() async {
      await #expect(processExitsWith: .success) {
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
    }

    @Test func aChildFreesWhatItReplacesAlthoughNoThreadHasRead() async {
      await #expect(processExitsWith: .success) {
        for _ in 1...3 { ForkedCell.cell.publish(Tracked(ForkedCell.lifetimes)) }
        // A value that the parent frees at the fork would leak in the child.
        eventually { ForkedCell.lifetimes.alive == 1 }
        let status = in_forked_child {
          for _ in 1...3 { ForkedCell.cell.publish(Tracked(ForkedCell.lifetimes)) }
          eventually { ForkedCell.lifetimes.alive == 1 }
          return 7
        }
        precondition(status == 7, "the child ended with \(status)")
        eventually { ForkedCell.lifetimes.alive == 1 }
      }
    }

    #if !DEBUG
      /// The first read of the process initializes nothing.
      ///
      /// In the child, an initialization that another thread had begun would never end. In a debug build the runtime
      /// makes types in the first read, which is such an initialization, too.
      @Test(arguments: 1...5) func aForkBesideTheFirstRead(attempt: Int) async {
        await #expect(processExitsWith: .success) { [attempt] in
          let cell = ForkedCell.cell
          let reader = PlatformThread { _ = cell.current }
          let end = MonotonicClock.now + 50_000 * UInt64(attempt)
          while MonotonicClock.now < end {}
          let status = in_forked_child { ForkedCell.cell.current.number == 0 ? 7 : 1 }
          precondition(status == 7, "the child ended with \(status)")
          reader.join()
        }
      }
    #endif

    @Test func aChildFreesWhatItsParentHadReplaced() async {
      await #expect(processExitsWith: .success) {
        var status: Int32 = 0
        repeat {
          eventually { ForkedCell.lifetimes.alive <= 1 }
          ForkedCell.cell.publish(Tracked(ForkedCell.lifetimes))
          status = in_forked_child {
            // The parent's reclaimer has taken the value in the meantime, so it is not the child's.
            guard SnapshotWords.survivors.load(.relaxed) != 0 else { return 6 }
            ForkedCell.cell.publish(Tracked(ForkedCell.lifetimes))
            eventually { ForkedCell.lifetimes.alive == 1 }
            return 7
          }
        } while status == 6
        precondition(status == 7, "the child ended with \(status)")
      }
    }

    @Test func aForkInsideAReadKeepsTheValueOfTheRead() async {
      await #expect(processExitsWith: .success) {
        let status = ForkedCell.cell.withCurrent { _ in
          in_forked_child {
            for _ in 1...3 { ForkedCell.cell.publish(Tracked(ForkedCell.lifetimes)) }
            eventually { ForkedCell.lifetimes.alive == 2 }
            // Two more scans find nothing to free.
            MonotonicClock.sleep(.milliseconds(60))
            return ForkedCell.lifetimes.alive == 2 && ForkedCell.cell.current.number == 0 ? 7 : 1
          }
        }
        precondition(status == 7, "the child ended with \(status)")
      }
    }

    /// In the parent, a value waits for the `deinit` of an earlier one, which never ends in the child.
    @Test func aChildDoesNotWaitForADeinitOfItsParent() async {
      await #expect(processExitsWith: .success) {
        ForkedCell.blocked.publish(Blocking())
        Blocking.isEnding.wait()
        ForkedCell.blocked.publish(Blocking())
        ForkedCell.cell.publish(Tracked(ForkedCell.lifetimes))
        // The value that blocks, one that waits, and two that are current.
        eventually { ForkedCell.lifetimes.alive == 4 }
        let status = in_forked_child {
          ForkedCell.blocked.publish(Blocking())
          eventually { ForkedCell.lifetimes.alive == 3 }
          return 7
        }
        precondition(status == 7, "the child ended with \(status)")
        Blocking.mayEnd.send()
        eventually { ForkedCell.lifetimes.alive == 2 }
      }
    }

    /// A replaced value must not end inside `publish`: its `deinit` may need a lock that the publisher holds.
    @Test func aPublisherInAChildMayHoldALockThatADeinitTakes() async {
      await #expect(processExitsWith: .success) {
        ForkedCell.locked.publish(TakesALock())
        // The parent's reclaimer must not hold the lock at the fork.
        eventually { TakesALock.ended.value == 1 }
        ForkedCell.lock.withLock {}
        let status = in_forked_child {
          ForkedCell.lock.withLock {
            for _ in 1...5 {
              ForkedCell.locked.publish(TakesALock())
              MonotonicClock.sleep(.milliseconds(21))
            }
          }
          eventually { TakesALock.ended.value >= 6 }
          return 7
        }
        precondition(status == 7, "the child ended with \(status)")
      }
    }
  }

  private final class TakesALock: Sendable {
    static let ended = RelaxedCounter()

    deinit { ForkedCell.lock.withLock { _ = Self.ended.add(1) } }
  }

  private final class Blocking: Sendable {
    static let isEnding = Signal()
    static let mayEnd = Signal()
    let tracked = Tracked(ForkedCell.lifetimes)
    let blocks: Bool

    init(blocks: Bool = false) { self.blocks = blocks }

    deinit {
      if !blocks { return }
      Self.isEnding.send()
      Self.mayEnd.wait()
    }
  }

  private enum ForkedCell {
    static let blocked = Snapshot(Blocking(blocks: true))
    static let lifetimes = Lifetimes()
    static let cell = Snapshot(Tracked(lifetimes))
    static let lock = UnfairLock()
    static let locked = Snapshot(TakesALock())
  }
#endif
