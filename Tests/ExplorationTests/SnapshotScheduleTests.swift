#if Exploration
  import Exploration
  import InterlockCore
  import TestSupport
  import Testing

  @testable import Snapshots

  /// Explores `Snapshot`: reads that overlap publications and the scans that free unused values, with and
  /// without the barrier for all threads.
  ///
  /// A value's deinit writes a cell that readers read, so freeing a value during a read is reported as a
  /// race.
  @Suite(.serialized) struct SnapshotScheduleTests {
    final class Node: Sendable {
      let cell: ExploredCell<Int>
      private let tracked: Tracked

      init(_ number: Int, _ lifetimes: Lifetimes) {
        cell = ExploredCell(0)
        // The explorer checks this write for races, but not the one in the cell's initialiser.
        cell.value = number
        tracked = Tracked(lifetimes)
      }

      deinit { cell.value = -1 }
    }

    /// A snapshot of nodes, with the count of nodes that are alive.
    final class Cell: Sendable {
      let lifetimes = Lifetimes()
      let snapshot: Snapshot<Node>

      init() { snapshot = Snapshot(Node(1, lifetimes)) }

      func publish(_ number: Int) { snapshot.publish(Node(number, lifetimes)) }

      /// Reads the number of the current node twice in one read; returns 0 if the two numbers differ.
      func read() -> Int {
        snapshot.withCurrent {
          let number = $0.cell.value
          return $0.cell.value == number ? number : 0
        }
      }
    }

    /// Explores `body`, and expects that two further scans by `Reclamation` free all values but the current
    /// one of each cell.
    ///
    /// A search with a bound on preemptions may end early.
    private func explore(
      _ name: String, hasBarrier: Bool, preemptions: Int? = nil, cells count: Int,
      _ body: @escaping @Sendable (Execution, [Cell]) -> Void
    ) throws {
      try check(
        "Snapshot, \(name), \(hasBarrier ? "barrier" : "exchange")", .exhaustive(preemptions: preemptions),
        mayEndEarly: preemptions != nil, hasBarrier: hasBarrier
      ) { run in
        let cells = (0..<count).map { _ in Cell() }
        body(run, cells)
        // No thread reads any more, and a scan that keeps a value schedules another scan. Two scans must
        // therefore free all unused values.
        scan(run)
        scan(run)
        for cell in cells {
          run.expect(cell.lifetimes.alive == 1, "\(cell.lifetimes.alive) nodes are alive")
        }
      }
    }

    /// Explores `body` with one cell.
    private func explore(
      _ name: String, hasBarrier: Bool, preemptions: Int? = nil,
      _ body: @escaping @Sendable (Execution, Cell) -> Void
    ) throws {
      try explore(name, hasBarrier: hasBarrier, preemptions: preemptions, cells: 1) { body($0, $1[0]) }
    }

    /// Runs the scan for unused values that `Reclamation` has scheduled, if any.
    ///
    /// Fails the execution if more than one scan is scheduled.
    private func scan(_ run: Execution) {
      run.expect(Reclamation.scanIfScheduled() <= 1, "two scans are scheduled")
    }

    @Test(arguments: [true, false])
    func aValueIsNotFreedWhileItIsRead(hasBarrier: Bool) throws {
      try explore("a read", hasBarrier: hasBarrier) { run, cell in
        let reader = run.thread { cell.read() }
        cell.publish(2)
        scan(run)
        run.expect((1...2).contains(reader.join()))
      }
    }

    @Test(arguments: [true, false])
    func aValueIsNotFreedWhileAThreadReadsAgain(hasBarrier: Bool) throws {
      try explore("two reads", hasBarrier: hasBarrier, preemptions: 3) { run, cell in
        let reader = run.thread {
          let first = cell.read()
          return first <= cell.read() && first > 0
        }
        cell.publish(2)
        scan(run)
        run.expect(reader.join(), "no older value later")
      }
    }

    /// A later value may get the address of a freed one; a reader of this address must still read a value
    /// that is alive.
    @Test(arguments: [true, false])
    func anAddressIsUsedAgain(hasBarrier: Bool) throws {
      try explore("two publications", hasBarrier: hasBarrier, preemptions: 2) { run, cell in
        let reader = run.thread { cell.read() }
        for number in 2...3 {
          cell.publish(number)
          scan(run)
        }
        run.expect((1...3).contains(reader.join()))
      }
    }

    @Test(arguments: [true, false])
    func publishersAndALookRunTogether(hasBarrier: Bool) throws {
      try explore("two publishers", hasBarrier: hasBarrier, preemptions: 2) { run, cell in
        let publishers = (2...3).map { number in run.thread { cell.publish(number) } }
        scan(run)
        for publisher in publishers { publisher.join() }
      }
    }

    /// A third nested read needs another block: in explorations a block of `HazardRegistry` has two slots.
    @Test(arguments: [true, false])
    func nestedReadsKeepTheirValues(hasBarrier: Bool) throws {
      try explore("nested reads", hasBarrier: hasBarrier, preemptions: 2) { run, cell in
        let reader = run.thread {
          defer { HazardRegistry.endExploredThread() }
          return cell.snapshot.withCurrent { outer in
            let number = outer.cell.value
            let inner = cell.snapshot.withCurrent { _ in cell.read() }
            return outer.cell.value == number && inner >= number
          }
        }
        cell.publish(2)
        scan(run)
        run.expect(reader.join())
        let counts = HazardRegistry.counts
        run.expect(counts.claimed == 0, "\(counts.claimed) blocks are claimed")
      }
    }

    @Test(arguments: [true, false])
    func aBlockPassesFromThreadToThread(hasBarrier: Bool) throws {
      try explore("a thread ends", hasBarrier: hasBarrier, preemptions: 2) { run, cell in
        let readers = (0..<2).map { _ in
          run.thread {
            defer { HazardRegistry.endExploredThread() }
            return cell.read()
          }
        }
        cell.publish(2)
        scan(run)
        for reader in readers { run.expect((1...2).contains(reader.join())) }
        let counts = HazardRegistry.counts
        run.expect(counts.claimed == 0, "\(counts.claimed) blocks are claimed")
      }
    }

    @Test(arguments: [true, false])
    func twoCellsShareAScan(hasBarrier: Bool) throws {
      try explore("two cells", hasBarrier: hasBarrier, preemptions: 2, cells: 2) { run, cells in
        let reader = run.thread { cells[0].read() + cells[1].read() }
        let publisher = run.thread { cells[0].publish(2) }
        cells[1].publish(2)
        scan(run)
        publisher.join()
        run.expect((2...4).contains(reader.join()))
      }
    }

    /// A scan keeps a value that it finds in a reader's slot, and a later scan frees the value without
    /// another barrier.
    @Test(arguments: [true, false])
    func aSurvivorIsFreedByALaterScan(hasBarrier: Bool) throws {
      try explore("a survivor", hasBarrier: hasBarrier, preemptions: 3) { run, cell in
        let reader = run.thread { cell.read() }
        cell.publish(2)
        scan(run)
        scan(run)
        run.expect((1...2).contains(reader.join()))
      }
    }

    /// A reader reuses its slot for a second cell's value; a scan must not free the first cell's value while
    /// it is read.
    @Test(arguments: [true, false])
    func aSlotIsFilledAgain(hasBarrier: Bool) throws {
      try explore("a slot is filled again", hasBarrier: hasBarrier, preemptions: 2, cells: 2) { run, cells in
        let reader = run.thread { cells[0].read() + cells[1].read() }
        cells[0].publish(2)
        scan(run)
        run.expect((2...3).contains(reader.join()))
      }
    }

    @Test func noUpdateIsLost() throws {
      try check("Snapshot, two updates", .exhaustive(preemptions: 2)) { run in
        let number = Snapshot(0)
        let updates = (0..<2).map { _ in run.thread { number.update { $0 += 1 } } }
        for update in updates { update.join() }
        run.expect(number.current == 2)
        run.expect(Reclamation.scanIfScheduled() == 1)
      }
    }
  }
#endif
