import LocksUnderTest
import PlatformLocks
import ReadWriteLocks
import TestSupport
import Testing

/// What `BiasedReadWriteLock` promises beyond the contract, in each of its modes.
@Suite struct BiasedReadWriteLockTests {
  private static let biases: [ReaderBias] = [.adaptive, .central, .fenced, .entryFenced, .asymmetric]

  @Test func isSmall() {
    #expect(MemoryLayout<BiasedReadWriteLock>.stride == 48)
    #expect(BiasedReadWriteLock.recordSize <= 192)
    // Eight slots, and more.
    #expect((65...BiasedReadWriteLock.recordSize).contains(BiasedReadWriteLock.usedRecordSize))
  }

  // MARK: Recursion

  /// A reader that enters again does not queue behind a writer that waits for it.
  @Test(arguments: biases)
  func readingInsideReadingEntersThoughAWriterWaits(bias: ReaderBias) {
    let lock = BoxedLock(BiasedReadWriteLock(bias: bias))
    let isReading = Signal()
    let written = Unguarded(0)
    let depth = Unguarded(0)
    // From here on readers use slots, if this bias ever lets them.
    for _ in 0..<BiasedReadWriteLock.readsInRowAtMost { lock.withReadLock {} }
    concurrently(
      {
        lock.withReadLock {
          isReading.send()
          // The writer waits when it keeps others out.
          while onAnotherThread({ lock.withReadLock(timeout: .zero) { true } }) != nil {
            PlatformThread.yield()
          }
          lock.withReadLock {
            lock.withReadLock { depth.value = written.value + 3 }
          }
        }
      },
      {
        isReading.wait()
        lock.withWriteLock { written.value = 1 }
      })
    #expect(depth.value == 3)
    #expect(written.value == 1)
  }

  @Test(arguments: biases)
  func aTimedReadInsideReadingEnters(bias: ReaderBias) {
    let lock = BiasedReadWriteLock(bias: bias)
    #expect(lock.withReadLock { lock.withReadLock(timeout: .zero) { 1 } } == 1)
    #expect(lock.withReadLock { lock.withReadLock(timeout: .seconds(1)) { 2 } } == 2)
    #expect(lock.withWriteLock(timeout: .zero) { 3 } == 3)
  }

  @Test(arguments: biases.indices)
  func writingInsideReadingTraps(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [index = index as Int] in
      Trap.orDie()
      let lock = BiasedReadWriteLock(bias: Self.biases[index])
      // As often as makes an adaptive lock change its mode.
      for _ in 0..<BiasedReadWriteLock.readsInRowAtMost { lock.withReadLock {} }
      lock.withReadLock { lock.withWriteLock {} }
    }
    #expect(Trap.message(in: result?.standardErrorContent) == Self.writingInsideReading)
  }

  @Test(arguments: biases.indices)
  func timedWritingInsideReadingTraps(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [index = index as Int] in
      Trap.orDie()
      let lock = BiasedReadWriteLock(bias: Self.biases[index])
      lock.withReadLock { _ = lock.withWriteLock(timeout: .seconds(1000)) {} }
    }
    #expect(Trap.message(in: result?.standardErrorContent) == Self.writingInsideReading)
  }

  private static let writingInsideReading =
    "BiasedReadWriteLock: locked for writing by a thread that is in a read section of it; "
    + "leave the read section first, or take the write lock from the start"

  /// Trying can't deadlock, so it fails instead of trapping.
  @Test(arguments: biases)
  func tryingToWriteInsideReadingFails(bias: ReaderBias) {
    let lock = BiasedReadWriteLock(bias: bias)
    for _ in 0..<100 {
      #expect(lock.withReadLock { lock.withWriteLock(timeout: .zero) { true } } == nil)
    }
    #expect(lock.withWriteLock { true })
  }

  // MARK: Slots

  /// More locks at once than a thread has slots, and the first again inside them all.
  @Test(arguments: biases)
  func readsMoreLocksThanItHasSlots(bias: ReaderBias) {
    let locks = (0..<20).map { _ in BoxedLock(BiasedReadWriteLock(bias: bias)) }
    func read(_ index: Int) {
      guard index < locks.count else {
        locks[0].withReadLock {}
        // Each is held: nobody gets in to write.
        let entered = onAnotherThread { locks.count { $0.withWriteLock(timeout: .zero) { true } != nil } }
        #expect(entered == 0)
        return
      }
      locks[index].withReadLock { read(index + 1) }
    }
    // Twice: the second time after writers have changed the modes.
    read(0)
    #expect(onAnotherThread { locks.allSatisfy { $0.withWriteLock { true } } })
    read(0)
    #expect(onAnotherThread { locks.allSatisfy { $0.withWriteLock { true } } })
  }

  /// A lock at an address where another one was does not take it for itself.
  @Test(arguments: biases)
  func locksFollowOneAnotherAtAnAddress(bias: ReaderBias) {
    let rounds = StressSize.pick(quick: 200, full: 20_000)
    let memory = UnsafeMutablePointer<BiasedReadWriteLock>.allocate(capacity: 1)
    defer { memory.deallocate() }
    for _ in 0..<rounds {
      memory.initialize(to: BiasedReadWriteLock(bias: bias))
      let address = UInt(bitPattern: memory)
      let sums = race(threads: 3) { index -> Int in
        let lock = UnsafeMutablePointer<BiasedReadWriteLock>(bitPattern: address)!
        return (0..<20).reduce(0) { sum, turn in
          sum + (turn % 7 == index ? lock.pointee.withWriteLock { 1 } : lock.pointee.withReadLock { 1 })
        }
      }
      #expect(sums == [20, 20, 20])
      memory.deinitialize(count: 1)
    }
  }

  /// What a thread remembers of a lock that is gone is not found by who searches for something else at its address.
  @Test(arguments: biases)
  func aLockThatIsGoneIsNotFound(bias: ReaderBias) {
    let memory = UnsafeMutablePointer<BiasedReadWriteLock>.allocate(capacity: 1)
    defer { memory.deallocate() }
    let address = UInt(bitPattern: memory)
    let isRead = Signal()
    let isFound = Signal()
    let isGone = Signal()
    let isSearched = Signal()
    let found = Unguarded([[Bool]]())
    @Sendable func search() {
      let anchor = address - anchorOffset
      found.value.append([anchor, anchor + 1].map { ReaderRegistry.shared.hasOtherReader(of: $0) })
    }
    concurrently(
      {
        let lock = UnsafeMutablePointer<BiasedReadWriteLock>(bitPattern: address)!
        lock.initialize(to: BiasedReadWriteLock(bias: bias))
        for _ in 0..<3 { lock.pointee.withReadLock {} }
        lock.pointee.withReadLock {
          isRead.send()
          isFound.wait()
        }
        lock.deinitialize(count: 1)
        isGone.send()
        isSearched.wait()
      },
      {
        isRead.wait()
        search()
        isFound.send()
        isGone.wait()
        search()
        isSearched.send()
      })
    #expect(found.value.map { $0.contains(true) } == [true, false])
  }

  /// Where the lock knows the reader; a reader in a slot is not noticed.
  @Test func destroyingItWhileReadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let owner = Unmanaged.passRetained(BoxedLock(BiasedReadWriteLock(bias: .central)))
      // Destroyed from within its own section, by memory management that went wrong.
      owner._withUnsafeGuaranteedRef { object in object.withReadLock { owner.release() } }
    }
    #expect(Trap.message(in: result?.standardErrorContent) == Self.destroyed)
  }

  @Test func destroyingItWhileWrittenTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let owner = Unmanaged.passRetained(BoxedLock(BiasedReadWriteLock(bias: .asymmetric)))
      owner._withUnsafeGuaranteedRef { object in object.withWriteLock { owner.release() } }
    }
    #expect(Trap.message(in: result?.standardErrorContent) == Self.destroyed)
  }

  private static let destroyed =
    "BiasedReadWriteLock: destroyed while a thread holds it; "
    + "keep the lock alive until every section has ended"

  // MARK: Threads

  @Test func manyThreadsReadTogether() {
    let lock = BoxedLock(BiasedReadWriteLock(bias: .asymmetric))
    lock.withReadLock {}
    let meeting = MeetingPoint(parties: 64)
    race(threads: 64) { _ in lock.withReadLock { meeting.meet() } }
    #expect(lock.withWriteLock { true })
  }

  /// Records go with their threads.
  ///
  /// In a process of its own, as other tests have threads too.
  @Test func threadsThatEndLeaveNoRecord() async {
    await #expect(processExitsWith: .success) {
      let churn = StressSize.pick(quick: 1_000, full: 10_000)
      let lock = BoxedLock(BiasedReadWriteLock(bias: .asymmetric))
      let readings = Unguarded(0)
      for _ in 0..<churn / 4 {
        race(threads: 4) { index in
          lock.withReadLock {}
          if index == 0 { lock.withWriteLock { readings.value += 1 } }
        }
      }
      let atPeak = Unguarded(0)
      let meeting = MeetingPoint(parties: 64)
      race(threads: 64) { index in
        lock.withReadLock {}
        meeting.meet()
        if index == 0 { atPeak.value = BiasedReadWriteLock.recordCount }
        meeting.meet()
      }
      precondition(atPeak.value == 64, "\(atPeak.value) records with 64 threads")
      precondition(BiasedReadWriteLock.recordCount == 0, "\(BiasedReadWriteLock.recordCount) records left")
      precondition(readings.value == churn / 4)
    }
  }

  // MARK: Policy

  private func expectSlots(
    _ lock: borrowing BiasedReadWriteLock, _ expected: Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let letsReadersIntoSlots = lock.letsReadersIntoSlots
    #expect(letsReadersIntoSlots == expected, sourceLocation: sourceLocation)
  }

  @Test func aRowOfReadsLetsReadersIntoSlots() {
    let lock = BiasedReadWriteLock()
    // A thread reports its reads now and then, so a row may be noticed that much later.
    for _ in 0..<lock.patience - Int(BiasPolicy.Reports.readsInLook) { lock.withReadLock {} }
    expectSlots(lock, false)
    for _ in 0..<BiasedReadWriteLock.readsInRowAtMost { lock.withReadLock {} }
    expectSlots(lock, true)
    lock.withWriteLock {}
    expectSlots(lock, false)
  }

  @Test func writesInBetweenKeepReadersCentral() {
    let lock = BiasedReadWriteLock()
    for _ in 0..<10_000 {
      lock.withWriteLock {}
      lock.withReadLock {}
      lock.withReadLock {}
    }
    expectSlots(lock, false)
  }

  @Test func aForcedBiasStays() {
    let central = BiasedReadWriteLock(bias: .central)
    for _ in 0..<10_000 { central.withReadLock {} }
    expectSlots(central, false)
    for bias in [ReaderBias.fenced, .entryFenced, .asymmetric] {
      let lock = BiasedReadWriteLock(bias: bias)
      for _ in 0..<100 {
        lock.withWriteLock {}
        for _ in 0..<BiasedReadWriteLock.readsInRowAtMost { lock.withReadLock {} }
        expectSlots(lock, true)
      }
    }
  }

  @Test func aThreadLooksForRowsSeldomWhereThereAreNone() {
    var reports = BiasPolicy.Reports()
    var reads: [Int32] = []
    for _ in 0..<16 {
      reads.append(reports.reads)
      #expect(reports.reportCentral(row: 0) == 7)
    }
    #expect(reads == [7, 12, 7, 30, 7, 66, 7, 138, 7, 282, 7, 570, 7, 570, 7, 570])
    // The second half of a look that finds a short row: nothing but chance.
    #expect(reports.reportCentral(row: 7) == 14)
    #expect(reports.reads == 7)
    #expect(reports.reportCentral(row: 0) == 7)
    #expect(reports.reads == 570)
    // A long row: the thread goes on, and looks soon again when the row has ended.
    #expect(reports.reportCentral(row: 7) == 26)
    #expect(reports.reads == 7)
    #expect(reports.reportCentral(row: 26) == 33)
    #expect(reports.reads == 7)
    #expect(reports.reportCentral(row: 0) == 7)
    #expect(reports.reads == 12)
  }

  @Test func aReportOfManyReadsAddsFewToARow() {
    var reports = BiasPolicy.Reports()
    while reports.reads != 570 { _ = reports.reportCentral(row: 0) }
    var others = reports
    #expect(reports.reportCentral(row: 1) == 20)
    #expect(others.reportFenced() == 61)
    #expect(others.reportFenced() == 61)
    #expect(others.reads == 61)
  }

  /// Whatever the number of locks: else some of them would never be found to be read in rows.
  @Test func aThreadThatReadsLocksInTurnReportsToAllOfThem() {
    for count in 2...100 {
      var reports = BiasPolicy.Reports()
      var reported = Set<Int>()
      var reads = 0
      for _ in 0..<(4 * count + 20) {
        reads += Int(reports.reads)
        reported.insert(reads % count)
        _ = reports.reportCentral(row: 0)
      }
      #expect(reported.count == count, "\(count) locks")
    }
  }

  /// What a section leaves in a thread's slots when it ends is not taken for a section.
  @Test(arguments: biases)
  func nothingIsHeldAfterASection(bias: ReaderBias) {
    onAnotherThread {
      let locks = (0..<3).map { _ in BoxedLock(BiasedReadWriteLock(bias: bias)) }
      for round in 0..<200 {
        // One after the other, and within one another.
        for lock in locks { lock.withReadLock {} }
        locks[round % 3].withReadLock { locks[(round + 1) % 3].withReadLock {} }
        #expect(!BiasedReadWriteLock.isCallingThreadInAnything)
        // It would trap if the thread took itself for a reader.
        locks[round % 3].withWriteLock {}
      }
    }
  }

  /// Runs `body` with a lock that has just let readers into slots, while another thread has a record as well: alone, a thread
  /// needs no barriers.
  private func withLockReadInARow(_ body: @escaping @Sendable (BoxedLock<BiasedReadWriteLock>) -> Void) {
    let lock = BoxedLock(BiasedReadWriteLock())
    let isRead = Signal()
    let isOver = Signal()
    concurrently(
      {
        lock.withReadLock {}
        isRead.send()
        isOver.wait()
      },
      {
        isRead.wait()
        var reads = 0
        while !lock.lock.letsReadersIntoSlots, reads < BiasedReadWriteLock.readsInRowAtMost {
          lock.withReadLock {}
          reads += 1
        }
        body(lock)
        isOver.send()
      })
  }

  @Test func writesNowAndThenLeaveReadersInSlots() {
    withLockReadInARow { lock in
      // Every write is followed by one read in the central lock, and that lets the others into slots.
      for _ in 0..<10 {
        lock.withWriteLock {}
        expectSlots(lock.lock, false)
        lock.withReadLock {}
        expectSlots(lock.lock, true)
        for _ in 0..<3_000 { lock.withReadLock {} }
      }
      // Three ends of which none was worth it, and it takes a row again.
      for _ in 0..<4 {
        lock.withWriteLock {}
        lock.withWriteLock {}
      }
      lock.withReadLock {}
      expectSlots(lock.lock, false)
    }
  }

  /// However long it is between them.
  @Test func aReadAfterEachWriteIsNoReasonToStayInSlots() {
    withLockReadInARow { lock in
      for _ in 0..<20 {
        lock.withWriteLock {}
        lock.withReadLock {}
        for _ in 0..<100 { Backoff.pause() }
      }
      lock.withWriteLock {}
      lock.withReadLock {}
      expectSlots(lock.lock, false)
    }
  }

  @Test func longRowsLetReadersDoWithoutBarriers() {
    withLockReadInARow { lock in
      var readersUseBarriers = lock.lock.readersUseBarriers
      #expect(readersUseBarriers)
      // The last of them have not been reported.
      let reads = Int(BiasPolicy.leastFencePatience) + Int(BiasPolicy.Reports.fencedReads)
      for _ in 0..<reads { lock.withReadLock {} }
      readersUseBarriers = lock.lock.readersUseBarriers
      #expect(readersUseBarriers == !AsymmetricFence.isAvailable)
    }
  }

  @Test func patienceFollowsWhatABiasWasWorth() {
    #expect(BiasPolicy.patience(after: 64, .worthIt) == 32)
    #expect(BiasPolicy.patience(after: 32, .worthIt) == 32)
    #expect(BiasPolicy.patience(after: 64, .inVain) == 128)
    #expect(BiasPolicy.patience(after: 4_096, .inVain) == 4_096)
    #expect(BiasPolicy.patience(after: 64, .unproven) == 80)
    // Alone, nobody is interrupted, and the limit is lower.
    #expect(BiasPolicy.patienceWhenAlone(after: 64) == 32)
    #expect(BiasPolicy.patienceWhenAlone(after: 32) == 24)
    // After so many near misses a row of a hundred reads starts a bias again.
    func nearMisses(from patience: UInt32) -> Int {
      Array(sequence(first: patience) { BiasPolicy.patience(afterNearMissAt: $0) }.prefix { $0 > 100 }).count
    }
    #expect(nearMisses(from: 256) == 156)
    #expect(nearMisses(from: BiasPolicy.mostPatience) == 1_003)
  }

  @Test func aBiasIsWorthMoreThanTurningReadersAway() {
    let microsecond = Ticks.perMicrosecond
    #expect(BiasPolicy.isWorthIt(lifetime: microsecond, cost: microsecond))
    #expect(!BiasPolicy.isWorthIt(lifetime: microsecond, cost: 2 * microsecond))
    #expect(!BiasPolicy.isWorthIt(lifetime: microsecond / 5, cost: 0))
    // Counters of two processors may differ a little: nothing overflows.
    #expect(BiasPolicy.isWorthIt(lifetime: .max, cost: .max))
  }

  @Test func patienceWithBarriersFollowsWhatItCostToDoWithout() {
    #expect(BiasPolicy.fencePatience(after: 512, lifetime: 80, cost: 160) == 256)
    #expect(BiasPolicy.fencePatience(after: 512, lifetime: 79, cost: 160) == 1_024)
    #expect(BiasPolicy.fencePatience(after: 128, lifetime: .max, cost: 1) == 128)
    #expect(BiasPolicy.fencePatience(after: 2_048, lifetime: 0, cost: 160) == 2_048)
  }
}
