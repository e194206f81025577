internal import BenchmarkHarness

/// The share of writes among the operations.
struct ReadWriteMix: Sendable {
  /// The number of writes in every `period` operations.
  let writes: Int
  let period: Int

  /// Makes a mix.
  ///
  /// - Parameters:
  ///   - reads: The number of reads in every `period` operations.
  ///   - period: The number of operations after which the mix repeats. With 100, `reads` is a percentage.
  init(reads: Int, of period: Int = 100) {
    writes = period - reads
    self.period = period
  }

  /// The number of writes in `count` operations; traps unless `count` is a multiple of `period`.
  func writes(in count: Int) -> Int {
    precondition(count % period == 0, "\(count) operations can't be divided by \(period)")
    return count / period * writes
  }

  /// The sequence of a worker's reads and writes; each batch starts a new one.
  func turns(of worker: Int) -> Turns {
    // Each worker begins at a different point of the period, so that the writes of workers don't coincide.
    Turns(mix: self, due: worker * 37 * period / 100 % period)
  }

  /// The operations of one period in a random order: whether each is a write.
  func shuffled() -> [Bool] { (0..<period).map { $0 < writes }.shuffled() }

  /// Decides for each operation whether it is a write, and spreads the writes evenly among the reads.
  ///
  /// A decision costs an addition and a comparison. A random number would cost as much as a fast lock. Processors
  /// predict these decisions, and not those of a long order from `shuffled()`.
  struct Turns {
    let mix: ReadWriteMix
    var due: Int

    @inline(__always)
    mutating func nextIsWrite() -> Bool {
      due += mix.writes
      guard due >= mix.period else { return false }
      due -= mix.period
      return true
    }
  }
}

/// Work inside a critical section: steps of a calculation, each of which needs the result of the previous
/// step.
struct SectionWork: Sendable {
  let steps: Int

  /// Work that takes about `nanoseconds` on this machine; none for 0.
  init(nanoseconds: Int) {
    steps = nanoseconds == 0 ? 0 : max(1, Int(Double(nanoseconds) * Self.stepsPerNanosecond))
  }

  private init(steps: Int) {
    self.steps = steps
  }

  /// Does the work, which calculates a number from `start`, and returns that number.
  ///
  /// The caller must use the result, or the optimizer may remove the work.
  @inline(__always)
  func run(from start: Int) -> Int {
    var value = UInt64(truncatingIfNeeded: start)
    for _ in 0..<steps {
      // Each multiplication needs the result of the previous one (Knuth's linear congruential generator).
      value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    }
    return Int(truncatingIfNeeded: value)
  }

  /// The number of steps that this machine does in a nanosecond, from the fastest of five measurements.
  private static let stepsPerNanosecond: Double = {
    let trial = SectionWork(steps: 100_000)
    var shortest = UInt64.max
    var sum = 0
    for _ in 0..<5 {
      let start = SystemInstruments.now()
      sum &+= trial.run(from: sum)
      shortest = min(shortest, SystemInstruments.now() - start)
    }
    // The result depends on the sum, so the optimizer can't remove the computation of the sum.
    return Double(trial.steps) / Double(max(1, sum == .min ? 1 : shortest))
  }()
}

/// A lock and the integer that it guards, side by side as in a class that contains both.
struct LockedInteger<Subject: GuardedInteger & ~Copyable>: ~Copyable, Sendable {
  let subject: Subject
  private var integer = 0

  init(subject: consuming Subject) {
    self.subject = subject
  }

  /// The address of the integer in the value at `place`, valid until that value is moved or deinitialized.
  static func integer(in place: UnsafeMutablePointer<LockedInteger>) -> UnsafeMutablePointer<Int> {
    withUnsafeMutablePointer(to: &place.pointee.integer) { $0 }
  }
}

/// Measures a lock while threads read and write the integer that it guards.
final class LockTrial<Subject: GuardedInteger & ~Copyable>: Sendable {
  private let box: IsolatedBox<LockedInteger<Subject>>
  /// The address of the guarded integer, which is stored in `box` together with the lock.
  ///
  /// `nonisolated(unsafe)` is sound: the address never changes, and the integer is accessed only under the
  /// lock.
  private nonisolated(unsafe) let integer: UnsafeMutablePointer<Int>
  private let mix: ReadWriteMix
  private let section: SectionWork
  /// The number of writes that each worker has made.
  ///
  /// The guarded integer must equal the sum of these numbers. Otherwise the lock admitted two writers at the
  /// same time.
  private let writes: [IsolatedBox<Int>]
  /// The waits of the writer of `writerAmongReaders`.
  ///
  /// `nonisolated(unsafe)` is sound: only worker 0 appends to it, and other threads read it after the workers
  /// have finished.
  private nonisolated(unsafe) var waits: [Int] = []

  init(
    _ subject: consuming Subject, threads: Int, mix: ReadWriteMix,
    section: SectionWork = SectionWork(nanoseconds: 0)
  ) {
    box = IsolatedBox(LockedInteger(subject: subject))
    integer = LockedInteger.integer(in: box.pointer)
    self.mix = mix
    self.section = section
    writes = (0..<threads).map { _ in IsolatedBox(0) }
  }

  func contestant(_ name: String, measuresWaits: Bool = false) -> Contestant {
    Contestant(name: name, batch: operate, waitBatch: measuresWaits ? measureWaits : nil, audit: audit)
  }

  @Sendable
  private func operate(worker: Int, count: Int) -> Int {
    writes[worker].pointer.pointee += mix.writes(in: count)
    if section.steps > 0 {
      return Self.work(box.pointer.pointee.subject, integer, count, mix, worker, section)
    }
    switch mix.writes {
    case 0: return Self.read(box.pointer.pointee.subject, integer, count)
    case mix.period: return Self.write(box.pointer.pointee.subject, integer, count)
    default: return Self.readAndWrite(box.pointer.pointee.subject, integer, count, mix, worker)
    }
  }

  @Sendable
  private func measureWaits(worker: Int, count: Int) -> Int {
    writes[worker].pointer.pointee += mix.writes(in: count)
    return Self.longestWait(box.pointer.pointee.subject, integer, count, mix, worker, section)
  }

  @Sendable
  private func audit() -> String? {
    let shown = box.pointer.pointee.subject.read(integer, unchanged)
    let made = writes.reduce(0) { $0 + $1.pointer.pointee }
    return shown == made ? nil : "\(made) writes were made under the lock and \(shown) have had an effect"
  }

  /// A lock under a changing load: each batch is read-mostly, then write-heavy, then read-mostly, in phases of
  /// `phaseLength` operations.
  ///
  /// A lock that adapts must notice two changes in each batch, and is slower until it does.
  func inPhases(_ name: String) -> Contestant {
    let mixes = [9_999, 5_000, 9_999].map { ReadWriteMix(reads: $0, of: 10_000) }
    return Contestant(name: name) { worker, count in
      var sum = 0
      for _ in 0..<(count / (3 * phaseLength)) {
        for mix in mixes {
          self.writes[worker].pointer.pointee += mix.writes(in: phaseLength)
          sum &+= Self.readAndWrite(
            self.box.pointer.pointee.subject, self.integer, phaseLength, mix, worker)
        }
      }
      return sum
    }
  }

  /// A lock whose operations come in the order of `isWrite`, a period of the trial's mix.
  func contestant(_ name: String, in isWrite: [Bool]) -> Contestant {
    Contestant(
      name: name,
      batch: { worker, count in
        self.writes[worker].pointer.pointee += self.mix.writes(in: count)
        return Self.readAndWrite(self.box.pointer.pointee.subject, self.integer, count, isWrite, worker)
      }, audit: audit)
  }

  /// The waits of one writer, worker 0, among readers that read without pauses.
  func writerAmongReaders(_ name: String) -> Contestant {
    Contestant(
      name: name,
      batch: { worker, count in
        guard worker == 0 else {
          // The harness takes the result of a batch for a wait. A reader measures no wait, so its result is 0.
          return Self.read(self.box.pointer.pointee.subject, self.integer, count) & 0
        }
        // A batch of the writer has only one write, because the trial measures a writer's wait and not the
        // effect of many writes on readers.
        let asked = Int(SystemInstruments.now())
        let wait = self.box.pointer.pointee.subject.write(self.integer) { value in
          value &+= 1
          return Int(SystemInstruments.now()) - asked
        }
        self.waits.append(wait)
        return wait
      }, samples: { self.waits })
  }

  // MARK: The loops that are measured
  // Each measured loop is compiled separately for each type of lock, with the lock inlined. The functions
  // that contain the loops are not inlined, so that they can be found in the machine code.

  @inline(never)
  private static func read(
    _ subject: borrowing Subject, _ integer: UnsafeMutablePointer<Int>, _ count: Int
  ) -> Int {
    var sum = 0
    for _ in 0..<count { sum &+= subject.read(integer, unchanged) }
    return sum
  }

  @inline(never)
  private static func write(
    _ subject: borrowing Subject, _ integer: UnsafeMutablePointer<Int>, _ count: Int
  ) -> Int {
    var sum = 0
    for _ in 0..<count { sum &+= subject.write(integer, incremented) }
    return sum
  }

  @inline(never)
  private static func readAndWrite(
    _ subject: borrowing Subject, _ integer: UnsafeMutablePointer<Int>, _ count: Int, _ mix: ReadWriteMix,
    _ worker: Int
  ) -> Int {
    var turns = mix.turns(of: worker)
    var sum = 0
    for _ in 0..<count {
      sum &+= turns.nextIsWrite() ? subject.write(integer, incremented) : subject.read(integer, unchanged)
    }
    return sum
  }

  @inline(never)
  private static func readAndWrite(
    _ subject: borrowing Subject, _ integer: UnsafeMutablePointer<Int>, _ count: Int, _ isWrite: [Bool],
    _ worker: Int
  ) -> Int {
    var next = worker * 37 * isWrite.count / 100 % isWrite.count
    var sum = 0
    for _ in 0..<count {
      sum &+= isWrite[next] ? subject.write(integer, incremented) : subject.read(integer, unchanged)
      next += 1
      if next == isWrite.count { next = 0 }
    }
    return sum
  }

  /// Reads and writes the integer, and does the work of `section` in each critical section.
  ///
  /// Returns the sum of the results, so that the optimizer can't remove the work.
  @inline(never)
  private static func work(
    _ subject: borrowing Subject, _ integer: UnsafeMutablePointer<Int>, _ count: Int, _ mix: ReadWriteMix,
    _ worker: Int, _ section: SectionWork
  ) -> Int {
    var turns = mix.turns(of: worker)
    var sum = 0
    for _ in 0..<count {
      sum &+=
        turns.nextIsWrite()
        ? subject.write(integer) { value in
          value &+= 1
          return section.run(from: value)
        } : subject.read(integer) { section.run(from: $0) }
    }
    return sum
  }

  /// Returns the longest time that an access waited, in nanoseconds: from the request for the lock to the
  /// start of the critical section.
  @inline(never)
  private static func longestWait(
    _ subject: borrowing Subject, _ integer: UnsafeMutablePointer<Int>, _ count: Int, _ mix: ReadWriteMix,
    _ worker: Int, _ section: SectionWork
  ) -> Int {
    var turns = mix.turns(of: worker)
    var longest = 0
    var sum = 0
    for _ in 0..<count {
      let isWrite = turns.nextIsWrite()
      let asked = Int(SystemInstruments.now())
      let entered =
        isWrite
        ? subject.write(integer) { value in
          value &+= 1
          let now = Int(SystemInstruments.now())
          sum &+= section.run(from: value)
          return now
        }
        : subject.read(integer) { value in
          let now = Int(SystemInstruments.now())
          sum &+= section.run(from: value)
          return now
        }
      longest = max(longest, entered - asked)
    }
    // The result depends on the sum, so the optimizer can't remove the computation of the sum.
    return sum == .min ? longest + 1 : longest
  }
}

/// The number of operations in one phase of `LockTrial.inPhases`.
let phaseLength = 20_000
