internal import BenchmarkHarness

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
  private let writes: PerWorker<Int>

  init(_ subject: consuming Subject, threads: Int, mix: ReadWriteMix, section: SectionWork = .none) {
    box = IsolatedBox(LockedInteger(subject: subject))
    integer = LockedInteger.integer(in: box.pointer)
    self.mix = mix
    self.section = section
    writes = PerWorker(count: threads, repeating: 0)
  }

  /// Makes a contestant for the harness.
  func contestant(named name: String, measuresWaits: Bool = true) -> Contestant {
    Contestant(name: name, batch: operate, waitBatch: measuresWaits ? measureWaits : nil, audit: audit)
  }

  @Sendable
  private func operate(worker: Int, count: Int) -> Int {
    writes[worker] += mix.writes(in: count)
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
    writes[worker] += mix.writes(in: count)
    return Self.longestWait(box.pointer.pointee.subject, integer, count, mix, worker, section)
  }

  @Sendable
  private func audit() -> String? {
    let shown = box.pointer.pointee.subject.read(integer, unchanged)
    let made = writes.values.reduce(0, +)
    return shown == made ? nil : "\(made) writes were made under the lock and \(shown) have had an effect"
  }

  // MARK: The loops that are measured
  // Each measured loop is compiled separately for each type of lock, with the lock inlined. The functions
  // that contain the loops are not inlined, so that they can be found in the machine code.

  @inline(never)
  private static func read(
    _ subject: borrowing Subject, _ integer: UnsafeMutablePointer<Int>, _ count: Int
  ) -> Int {
    var sum = 0
    for _ in 0..<count {
      sum &+= subject.read(integer, unchanged)
    }
    return sum
  }

  @inline(never)
  private static func write(
    _ subject: borrowing Subject, _ integer: UnsafeMutablePointer<Int>, _ count: Int
  ) -> Int {
    var sum = 0
    for _ in 0..<count {
      sum &+= subject.write(integer, incremented)
    }
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

  /// Reads and writes the integer, and does the work of `section` in each critical section.
  ///
  /// Returns the sum of the results, so that the optimiser can't remove the work.
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
    // The result depends on the sum, so the optimiser can't remove the computation of the sum.
    return sum == .min ? longest + 1 : longest
  }
}
