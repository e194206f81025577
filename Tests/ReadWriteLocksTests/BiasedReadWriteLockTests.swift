import CTestSupport
import LocksUnderTest
import InterlockCore
import InterlockWaits
import TestSupport
import Testing

@testable import ReadWriteLocks

/// Tests the promises of `BiasedReadWriteLock` beyond those in `ReadWriteLockContract`, with each kind of
/// bias.
@Suite struct BiasedReadWriteLockTests {
  private static let biases = [ReaderBias.adaptive, .counted, .slots]

  /// The number of reads by one thread that suffices to bias a new lock with an adaptive bias.
  private static let manyReads = 2_000

  // With the trait `DeadlockDetection`, the lock is larger, because it contains a `Probe`.
  #if !DeadlockDetection
    @Test func isSmall() {
      #expect(MemoryLayout<BiasedReadWriteLock>.stride == 40)
      #expect(BiasedReadWriteLock.recordSize <= 192)
    }
  #endif

  /// The test sleeps in the place of a writer, so that only the reader's wake-up can end the sleep early.
  ///
  /// A real writer checks the slots again after a while, so a missing wake-up would only delay it. The test runs in
  /// a process of its own: other tests may occupy all slots, and the reader would then be counted in the word that
  /// the test overwrites.
  @Test("A reader that leaves its slot wakes the writer that sleeps until the slots are vacant")
  func leavingASlotWakesTheWriter() async {
    await #expect(processExitsWith: .success) {
      // Repeats the attempt, because a writer that arrives after the reader has left need not sleep, and is not
      // woken.
      let isWoken = (0..<100).contains { _ in
        let lock = BiasedReadWriteLock(bias: .slots)
        let isReading = Signal()
        return race(threads: 2) { index -> Bool in
          if index == 1 {
            isReading.wait()
            let deadline = Timeout(.seconds(30), for: Primitive(.unfairLock)).deadlineFromNow()
            return lock.core.slotWaiter.wait(while: 1, until: deadline) == .woken
          }
          let free = lock.core.central.state.loadRelaxed()
          lock.withReadLock {
            // Sets the state that the lock has while a writer sleeps until the slots are vacant.
            lock.core.central.state.storeRelaxed(free | ReadWriteState.writersWaiting)
            lock.core.slotWaiter.storeRelaxed(1)
            isReading.send()
            MonotonicClock.sleep(.milliseconds(1))
          }
          lock.core.central.state.storeRelaxed(free)
          return true
        }[1]
      }
      precondition(isWoken)
    }
  }

  /// A writer that waits for a reader in a slot sleeps for longer and longer, rather than polling.
  ///
  /// The bound grows with the time that really passes: a sleep that nothing ends is not shorter than its timeout. The test
  /// runs in a process of its own, so that the reader finds a slot.
  @Test(.enabled(if: test_sleeps() >= 0, "the system does not count how often a thread sleeps"))
  func aWriterBehindALongReaderSleeps() async {
    await #expect(processExitsWith: .success) {
      let lock = BoxedLock(BiasedReadWriteLock(bias: .slots))
      let isReading = Signal()
      concurrently(
        {
          lock.withReadLock {
            isReading.send()
            MonotonicClock.sleep(.milliseconds(500))
          }
        },
        {
          isReading.wait()
          let (sleeps, began) = (test_sleeps(), Deadline.now)
          lock.withWriteLock {}
          let milliseconds = Int(Deadline.now - began) / 1_000_000
          precondition(test_sleeps() - sleeps <= 20 + milliseconds / 50)
        })
    }
  }

  // MARK: Recursion

  /// A nested reader must not queue behind a writer that waits for the reader's outer section.
  @Test(arguments: biases)
  func aNestedReadIsAdmittedAlthoughAWriterWaits(bias: ReaderBias) {
    let lock = BoxedLock(BiasedReadWriteLock(bias: bias))
    let isReading = Signal()
    let written = Unguarded(0)
    let depth = Unguarded(0)
    // After these reads the lock is biased, unless `bias` is `.counted`. Readers then use the `SlotTable`.
    for _ in 0..<Self.manyReads { lock.withReadLock {} }
    concurrently(
      {
        lock.withReadLock {
          isReading.send()
          // This loop ends when the writer waits, because a waiting writer keeps other readers out.
          while onAnotherThread({ unlessTimedOut { try lock.withReadLock(timeout: .zero) { true } } }) != nil
          {
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
  func aTimedNestedReadIsAdmitted(bias: ReaderBias) {
    let lock = BiasedReadWriteLock(bias: bias)
    #expect(lock.withReadLock { unlessTimedOut { try lock.withReadLock(timeout: .zero) { 1 } } } == 1)
    #expect(lock.withReadLock { unlessTimedOut { try lock.withReadLock(timeout: .seconds(1)) { 2 } } } == 2)
    #expect(unlessTimedOut { try lock.withWriteLock(timeout: .zero) { 3 } } == 3)
  }

  @Test(arguments: biases.indices, [false, true])
  func writingInsideReadingTraps(index: Int, isTimed: Bool) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [index = index as Int, isTimed = isTimed as Bool] in
      let lock = BiasedReadWriteLock(bias: Self.biases[index])
      for _ in 0..<Self.manyReads { lock.withReadLock {} }
      lock.withReadLock {
        if isTimed {
          _ = unlessTimedOut { try lock.withWriteLock(timeout: .seconds(1000)) {} }
        } else {
          lock.withWriteLock {}
        }
      }
    }
    #expect(
      result?.standardErrorContent.trap
        == "BiasedReadWriteLock: locked for writing by a thread that is in a read section of it; "
        + "leave the read section first, or take the write lock from the start")
  }

  /// Inside a read section, an attempt to write with a zero timeout must fail instead of trapping, because it
  /// can't deadlock.
  @Test(arguments: biases)
  func tryingToWriteInsideReadingFails(bias: ReaderBias) {
    let lock = BiasedReadWriteLock(bias: bias)
    for _ in 0..<100 {
      #expect(lock.withReadLock { unlessTimedOut { try lock.withWriteLock(timeout: .zero) { true } } } == nil)
    }
    #expect(lock.withWriteLock { true })
  }

  // MARK: Slots

  /// Acquiring a ninth lock for reading must not overwrite the thread's entry for the eighth lock.
  ///
  /// A `ThreadRecord` has room for only eight entries. The test runs in a process of its own, because other
  /// tests may occupy all slots.
  @Test func aNinthReadKeepsTheEntryOfTheEighthLock() async {
    await #expect(processExitsWith: .success) {
      let (count, eighth) = (9, 7)
      let locks = UnsafeMutablePointer<BiasedReadWriteLock>.allocate(capacity: count)
      for index in 0..<count {
        (locks + index).initialize(to: BiasedReadWriteLock(bias: index == eighth ? .slots : .counted))
      }
      func read(_ index: Int) {
        guard index < count else { return }
        locks[index].withReadLock {
          read(index + 1)
          guard index == eighth else { return }
          // A nested read must use no slot of its own, which it would if the entry for the eighth lock were
          // lost.
          let slots = locks[index].withReadLock { BiasedReadWriteLock.slotCount(ofLockAt: locks + index) }
          precondition(slots == 1, "\(slots) slots")
        }
      }
      read(0)
      locks.deinitialize(count: count)
      locks.deallocate()
    }
  }

  // MARK: More locks than entries

  private typealias Locks = [BoxedLock<BiasedReadWriteLock>]

  private static func locks(_ count: Int, _ bias: ReaderBias) -> Locks {
    (0..<count).map { _ in BoxedLock(BiasedReadWriteLock(bias: bias)) }
  }

  /// Runs `body` in read sections of all locks.
  private static func reading(_ locks: Locks, from first: Int = 0, _ body: () -> Void) {
    if first == locks.count { return body() }
    locks[first].withReadLock { reading(locks, from: first + 1, body) }
  }

  @Test(arguments: biases, [8, 9, 12])
  func aNestedReadOfTheLastOfManyLocksIsAdmittedAlthoughAWriterWaits(bias: ReaderBias, count: Int) {
    let locks = Self.locks(count, bias)
    let last = locks[count - 1]
    let isReading = Signal()
    concurrently(
      {
        Self.reading(locks) {
          isReading.send()
          while onAnotherThread({ unlessTimedOut { try last.withReadLock(timeout: .zero) { true } } }) != nil
          {
            PlatformThread.yield()
          }
          for lock in locks { #expect(unlessTimedOut { try lock.withReadLock(timeout: .zero) { 1 } } == 1) }
        }
      },
      {
        isReading.wait()
        last.withWriteLock {}
      })
  }

  @Test(arguments: biases)
  func manyLocksAreHeldUntilTheirSectionsEnd(bias: ReaderBias) {
    let locks = Self.locks(12, bias)
    Self.reading(locks) {
      for lock in locks {
        #expect(onAnotherThread { unlessTimedOut { try lock.withWriteLock(timeout: .zero) { 1 } } } == nil)
      }
    }
    for lock in locks { #expect(unlessTimedOut { try lock.withWriteLock(timeout: .zero) { 1 } } == 1) }
  }

  @Test(arguments: 0..<3) func theOtherLocksStayListed(removed: Int) {
    let record = ThreadRecord.current
    // Odd, and great: they are neither keys of locks nor counters.
    let keys = (0..<3).map { UInt($0) << 40 | 1 << 50 | 1 }
    for key in keys { record.addFurther(key) }
    record.removeFurther(keys[removed])
    for (index, key) in keys.enumerated() { #expect(record.lists(key) == (index != removed)) }
    for key in keys { record.removeFurther(key) }
    #expect(!keys.contains { record.lists($0) })
  }

  @Test(arguments: biases.indices, [8, 9, 12])
  func writingInsideReadingOfManyLocksTraps(index: Int, count: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [index = index as Int, count = count as Int] in
      let locks = Self.locks(count, Self.biases[index])
      Self.reading(locks) {
        _ = unlessTimedOut { try locks[count - 1].withWriteLock(timeout: .seconds(1)) {} }
      }
    }
    #expect(
      result?.standardErrorContent.trap
        == "BiasedReadWriteLock: locked for writing by a thread that is in a read section of it; "
        + "leave the read section first, or take the write lock from the start")
  }

  /// A thread's slot in the `SlotTable` must be vacant after its section.
  ///
  /// Otherwise, a new lock at the same address would find an old reader. The test runs in a process of its
  /// own, because other tests may occupy all slots.
  @Test(arguments: biases.indices)
  func aSlotIsVacantAfterTheSection(index: Int) async {
    await #expect(processExitsWith: .success) { [index = index as Int] in
      let bias = Self.biases[index]
      let memory = UnsafeMutablePointer<BiasedReadWriteLock>.allocate(capacity: 1)
      memory.initialize(to: BiasedReadWriteLock(bias: bias))
      for _ in 0..<Self.manyReads { memory.pointee.withReadLock {} }
      let inside = memory.pointee.withReadLock { BiasedReadWriteLock.slotCount(ofLockAt: memory) }
      precondition(inside == (bias == .counted ? 0 : 1), "\(inside) slots inside")
      memory.deinitialize(count: 1)
      let after = BiasedReadWriteLock.slotCount(ofLockAt: memory)
      precondition(after == 0, "\(after) slots after it")
      memory.deallocate()
    }
  }

  /// The lock must count the readers that find no vacant slot in the `SlotTable`.
  ///
  /// More readers than there are slots wait for one another inside their sections. The writer must wait for
  /// all of them: otherwise it changes the number that they check in their sections.
  @Test func readersThatFindNoSlotAreCounted() {
    let lock = BoxedLock(BiasedReadWriteLock(bias: .slots))
    let count = 6 * SlotTable.readers.count
    let meeting = MeetingPoint(parties: count)
    let readers = RelaxedCounter()
    race(threads: count + 1) { index in
      if index == count {
        while readers.value < count { PlatformThread.yield() }
        lock.withWriteLock { _ = readers.add(1) }
      } else {
        lock.withReadLock {
          readers.add(1)
          meeting.meet()
          #expect(readers.value == count)
        }
      }
    }
    #expect(readers.value == count + 1)
  }

  // MARK: Waiting writers

  /// A waiting writer must keep new readers out while an earlier reader still holds the lock.
  ///
  /// With an adaptive bias, the reads before the writer make the lock biased, while the earlier reader is
  /// still counted in the lock's word.
  @Test(arguments: biases)
  func aWaitingWriterKeepsReadersOutAlthoughAnEarlierOneStays(bias: ReaderBias) {
    let lock = BoxedLock(BiasedReadWriteLock(bias: bias))
    let isRead = Signal()
    let isKeptOut = Signal()
    let isWriting = RelaxedFlag()
    concurrently(
      {
        lock.withReadLock {
          isRead.send()
          isKeptOut.wait()
          #expect(!isWriting.isSet)
        }
      },
      {
        isRead.wait()
        for _ in 0..<Self.manyReads { lock.withReadLock {} }
        concurrently(
          { lock.withWriteLock { isWriting.set() } },
          {
            while unlessTimedOut({ try lock.withReadLock(timeout: .zero, { true }) }) != nil {
              PlatformThread.yield()
            }
            // The loop has ended because the writer waits. From here on, no reader may be admitted until the
            // first reader has released the lock.
            let entered = (0..<2_000).count { _ in
              unlessTimedOut { try lock.withReadLock(timeout: .zero) { true } } != nil
            }
            #expect(entered == 0)
            isKeptOut.send()
          })
      })
    #expect(isWriting.isSet)
  }

  // MARK: Policy

  private func expectSlots(
    _ lock: borrowing BiasedReadWriteLock, _ expected: Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let admitsReaderInSlot = lock.admitsReaderInSlot
    #expect(admitsReaderInSlot == expected, sourceLocation: sourceLocation)
  }

  @Test func readsSetTheBiasAndManyWritesEndIt() {
    let lock = BiasedReadWriteLock()
    expectSlots(lock, false)
    for _ in 0..<Self.manyReads { lock.withReadLock {} }
    expectSlots(lock, true)
    lock.withWriteLock {}
    expectSlots(lock, true)
    for _ in 0..<1_000 { lock.withWriteLock {} }
    expectSlots(lock, false)
  }

  /// Each of several locks that are read in turn must be sampled.
  ///
  /// The number of reads between two samples is prime, so the samples do not always hit the same locks.
  @Test(arguments: 2...8)
  func locksThatAreReadInTurnAreAllSampled(count: Int) {
    let locks = (0..<count).map { _ in BoxedLock(BiasedReadWriteLock()) }
    for _ in 0..<1_100 * count { for lock in locks { lock.withReadLock {} } }
    #expect(locks.count { $0.lock.admitsReaderInSlot } == count)
  }

  /// Timed reads, and reads inside a read section of another lock, must also be sampled.
  @Test func readsOfTheSlowPathAreSampled() {
    let (timed, nested, outer) = (
      BoxedLock(BiasedReadWriteLock()), BoxedLock(BiasedReadWriteLock()), BoxedLock(BiasedReadWriteLock())
    )
    for _ in 0..<10_000 {
      _ = unlessTimedOut { try timed.withReadLock(timeout: .zero) { 1 } }
      outer.withReadLock { nested.withReadLock {} }
    }
    expectSlots(outer.lock, true)
    expectSlots(nested.lock, true)
    expectSlots(timed.lock, true)
  }

  @Test func aFixedBiasStays() {
    for bias in [ReaderBias.counted, .slots] {
      let lock = BiasedReadWriteLock(bias: bias)
      for _ in 0..<100 {
        for _ in 0..<100 { lock.withWriteLock {} }
        for _ in 0..<Self.manyReads { lock.withReadLock {} }
        expectSlots(lock, bias == .slots)
      }
    }
  }

  /// Data of an ended read section may remain in a `ThreadRecord`, but must not count as a held lock.
  @Test(arguments: biases)
  func noSlotIsFilledAfterASection(bias: ReaderBias) {
    onAnotherThread {
      let locks = (0..<3).map { _ in BoxedLock(BiasedReadWriteLock(bias: bias)) }
      for round in 0..<200 {
        for lock in locks { lock.withReadLock {} }
        // Nests the locks only in ascending order: if the nesting formed a cycle, readers could deadlock with
        // writers.
        let (outer, inner) = round % 3 == 2 ? (0, 2) : (round % 3, round % 3 + 1)
        locks[outer].withReadLock { locks[inner].withReadLock {} }
        #expect(!BiasedReadWriteLock.isCallingThreadReading)
        // This write would trap if the lock mistook the thread for a reader.
        locks[round % 3].withWriteLock {}
      }
    }
  }
}
