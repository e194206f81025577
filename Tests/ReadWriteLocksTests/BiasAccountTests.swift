import InterlockCore
import TestSupport
import Testing

@testable import ReadWriteLocks

private let readsPerSample = Int(ThreadRecord.readsPerSample)

/// Tests `BiasAccount`, which decides when a lock is biased towards readers.
///
/// The tests pass made-up times and numbers of writes to the account, and use no lock or thread.
@Suite struct BiasAccountTests {
  /// What operations cost in both modes, in ticks of the lock: the time between two operations that end.
  struct Machine: CustomTestStringConvertible, Sendable {
    var name: String
    var countedRead: Int
    var slotRead: Int
    var write: Int
    /// A write that revokes the bias, with the delay of the readers.
    var revocation: Int

    var testDescription: String { name }

    func cost(counted: Bool, writesPerThousand writes: Int) -> Int {
      counted
        ? countedRead * (1_000 - writes) + write * writes : slotRead * (1_000 - writes) + revocation * writes
    }

    /// Measured, in tenths of a nanosecond: machines whose cache lines travel between processors, and
    /// machines where an exchange costs little, with one and with two threads.
    static let known = [
      Machine(name: "lines travel, 1 thread", countedRead: 108, slotRead: 64, write: 108, revocation: 900),
      Machine(name: "lines travel, 2 threads", countedRead: 280, slotRead: 87, write: 280, revocation: 5_000),
      Machine(
        name: "exchanges are cheap, 1 thread", countedRead: 69, slotRead: 36, write: 48, revocation: 740),
      Machine(
        name: "exchanges are cheap, 2 threads", countedRead: 135, slotRead: 47, write: 135, revocation: 3_650),
    ]
  }

  /// A lock on `machine`, without threads: it does `operations`, and counts those in its better mode.
  private struct SimulatedLock: ~Copyable {
    let machine: Machine
    let account = BiasAccount()
    var now: UInt64 = 1_000
    var isCounted = true
    var writes: UInt32 = 0
    var reads = 0
    var due = 0

    init(_ machine: Machine) {
      self.machine = machine
    }

    /// Returns the time of `count` operations.
    mutating func run(_ count: Int, writesPerThousand: Int) -> Int {
      let start = now
      for _ in 0..<count {
        due += writesPerThousand
        if due >= 1_000 {
          due -= 1_000
          now += UInt64(isCounted ? machine.write : machine.revocation)
          if !isCounted { isCounted = account.endsBias(writes: writes) }
          writes &+= 1
        } else {
          now += UInt64(isCounted ? machine.countedRead : machine.slotRead)
          reads += 1
          guard reads % readsPerSample == 0 else { continue }
          if account.sample(inSlot: !isCounted, writes: writes, now: now) { isCounted = false }
        }
      }
      return Int(now - start)
    }
  }

  /// On each kind of machine, and at each share of writes, a lock must take hardly longer than in the better
  /// of its two modes.
  @Test(arguments: Machine.known)
  func theBetterModeIsChosen(machine: Machine) {
    for writes in [0, 1, 5, 10, 20, 30, 50, 100, 200, 300, 500, 700, 900, 1_000] {
      var lock = SimulatedLock(machine)
      _ = lock.run(200_000, writesPerThousand: writes)
      let time = lock.run(1_000_000, writesPerThousand: writes)
      let (counted, slots) = (
        machine.cost(counted: true, writesPerThousand: writes),
        machine.cost(counted: false, writesPerThousand: writes)
      )
      let best = min(counted, slots) * 1_000
      #expect(time * 100 <= best * 105, "\(writes) writes in 1 000, \(time * 100 / best) % of the best time")
    }
  }

  /// The time after a change of the load must hardly be longer than in the mode that is better then.
  @Test(arguments: Machine.known)
  func aChangeOfTheLoadIsNoticed(machine: Machine) {
    var lock = SimulatedLock(machine)
    for _ in 0..<5 {
      for writes in [0, 600] {
        let time = lock.run(200_000, writesPerThousand: writes)
        let best = machine.cost(counted: writes > 0, writesPerThousand: writes) * 200
        #expect(time * 100 <= best * 125, "\(writes) writes in 1 000, \(time * 100 / best) % of the best")
      }
    }
  }

  /// A thread may be preempted in a block, which then takes far too long; here after each few milliseconds.
  ///
  /// The other operations must still take hardly longer than in the better mode.
  @Test(arguments: Machine.known)
  func disturbedBlocksDoLittleHarm(machine: Machine) {
    for writes in [10, 300] {
      var lock = SimulatedLock(machine)
      _ = lock.run(200_000, writesPerThousand: writes)
      var time = 0
      for step in 0..<20 {
        lock.now += UInt64(step % 7) * 1_000_000
        time += lock.run(400_000 + step, writesPerThousand: writes)
      }
      let best = min(
        machine.cost(counted: true, writesPerThousand: writes),
        machine.cost(counted: false, writesPerThousand: writes))
      #expect(time * 100 <= best * 8_000 * 110, "\(writes) writes in 1 000")
    }
  }

  // MARK: The policy, step by step

  /// A sequence of loads, and how many samples a lock then stays in each mode, counted reads first.
  ///
  /// A load has a number of samples, their times with and without counting, and the writes in a hundred of them. The
  /// bias is tried after 1, 2, 4 … 128 blocks of 4 samples; 1 more begins the time of a mode that has won.
  struct Policy: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var loads: [(samples: Int, counted: UInt64, inSlot: UInt64, writes: Int)]
    var stays: [Int]

    init(_ name: String, _ loads: [(Int, UInt64, UInt64, Int)], _ stays: [Int]) {
      (testDescription, self.loads, self.stays) = (name, loads, stays)
    }
  }

  private static let policies = [
    Policy(
      "slots are far better", [(400, 1000, 60, 100)], [1, 5, 2, 9, 2, 17, 2, 33, 2, 65, 2, 129, 2, 129]),
    Policy(
      "counting is better, few writes", [(400, 60, 100, 25)],
      [1, 6, 9, 7, 9, 7, 17, 7, 33, 7, 65, 7, 129, 7, 89]),
    Policy(
      "slots are better", [(3000, 100, 60, 100)],
      [1, 5, 4, 9, 4, 17, 4, 33, 4, 65, 4, 129, 4, 257, 4, 513, 4, 513, 4, 513, 4, 513, 4, 388]),
    Policy(
      "counting is better", [(3000, 60, 100, 100)],
      [1, 5, 9, 4, 9, 4, 17, 4, 33, 4, 65, 4, 129, 4, 257, 4, 513, 4, 513, 4, 513, 4, 513, 4, 379]),
    Policy("reads alone", [(20, 100, 60, 0)], [1, 19]),
    Policy(
      "the load grows", [(600, 100, 60, 100), (200, 300, 400, 100)],
      [1, 5, 4, 9, 4, 17, 4, 33, 4, 65, 4, 129, 4, 257, 4, 61, 9, 4, 9, 4, 17, 4, 33, 4, 65, 4, 42]),
    Policy(
      "the load shrinks", [(600, 300, 200, 100), (200, 50, 60, 100)],
      [1, 5, 4, 9, 4, 17, 4, 33, 4, 65, 4, 129, 4, 257, 4, 65, 9, 5, 9, 5, 17, 5, 33, 5, 65, 5, 33]),
    Policy(
      "the other mode becomes better", [(300, 100, 60, 100), (300, 60, 61, 100), (300, 100, 60, 100)],
      [
        1, 5, 4, 9, 4, 17, 4, 33, 4, 65, 4, 129, 4, 257, 9, 5, 9, 5, 17, 5, 33, 9, 4, 9, 4, 17, 4, 33, 4, 65,
        4, 124,
      ]),
    Policy(
      "writes begin and end", [(30, 100, 60, 100), (20, 100, 60, 30000), (40, 100, 60, 100)],
      [1, 5, 4, 9, 4, 7, 31, 9, 4, 9, 4, 3]),
    Policy(
      "writes interrupt",
      [
        (50, 100, 60, 100), (1, 100, 60, 30000), (47, 100, 60, 100), (1, 100, 60, 30000), (46, 100, 60, 100),
        (1, 100, 60, 30000), (40, 100, 60, 100),
      ], [1, 5, 4, 9, 4, 17, 4, 6, 5, 9, 4, 9, 4, 17, 4, 33, 4, 6, 5, 9, 4, 9, 4, 10]),
    Policy(
      "many writes after many trials", [(400, 100, 60, 100), (2, 100, 60, 30000), (200, 60, 100, 100)],
      [1, 5, 4, 9, 4, 17, 4, 33, 4, 65, 4, 129, 4, 117, 5, 4, 9, 4, 17, 4, 33, 4, 65, 4, 53]),
  ]

  @Test(arguments: policies) func theModesOfALoad(policy: Policy) {
    let account = BiasAccount()
    var isBiased = false
    var (writes, due, now): (UInt32, Int, UInt64) = (0, 0, 1_000)
    var stays = [0]
    for load in policy.loads {
      for _ in 0..<load.samples {
        due += load.writes
        while due >= 100 {
          due -= 100
          if isBiased { isBiased = !account.endsBias(writes: writes) }
          writes += 1
        }
        now += isBiased ? load.inSlot : load.counted
        if isBiased == stays.count.isMultiple(of: 2) { stays[stays.count - 1] += 1 } else { stays.append(1) }
        // The account counts sixteenths.
        if account.sample(inSlot: isBiased, writes: writes, now: now << 4) { isBiased = true }
      }
    }
    #expect(stays == policy.stays)
  }

  @Test func aNewLockIsBiasedAtItsFirstSample() {
    let account = BiasAccount()
    let isBiased = account.sample(inSlot: false, writes: 0, now: 1)
    #expect(isBiased)
  }

  /// More writes than a quarter of the reads must end the bias, without a sample.
  @Test func writesEndABias() {
    let account = BiasAccount()
    _ = account.sample(inSlot: false, writes: 0, now: 1)
    let staying = (1...2_000).prefix { !account.endsBias(writes: UInt32($0)) }
    #expect(staying.count == readsPerSample / 4)
  }

  /// The number of writes wraps around.
  @Test func writesMayWrapAround() {
    let account = BiasAccount()
    _ = account.sample(inSlot: false, writes: .max - 10, now: 1)
    let staying = (1...2_000).prefix { !account.endsBias(writes: UInt32.max - 10 &+ UInt32($0)) }
    #expect(staying.count == readsPerSample / 4)
  }
}
