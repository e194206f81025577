import Counters
import Glibc

/// What a scenario is counted in; the raw values are those of `Counters.h`, and then that of the instructions.
enum Counter: Int, CaseIterable {
  case threads, sleeps, wakeUps, wokenTogether, calls, yields, allocations, jobs, evaluations, steps

  var name: String {
    switch self {
    case .wakeUps: "wake-ups"
    case .wokenTogether: "woken together"
    default: "\(self)"
    }
  }
}

/// Whether the program runs with a control, whose cost one run shows.
let isControl = getenv("COSTS_CONTROL").map { $0.pointee != 0 } ?? false

/// A part of the names of the scenarios to run.
let filter = getenv("COSTS_FILTER").map { String(cString: $0) } ?? ""

/// How a counter is recorded: as it is, as a bound that holds for every schedule, or not at all.
enum Recorded {
  case exactly, atMost(Int), no
}

/// Counts what `work` costs.
struct Costs: Sendable {
  fileprivate final class Counts: @unchecked Sendable {
    // Sound: only the first thread uses it.
    var values: [Int] = []
  }

  fileprivate let counts = Counts()
  fileprivate let countsSteps: Bool

  /// Counts what `work` costs in all threads; runs once in each scenario.
  ///
  /// - Parameter passes: For the control that passes over a list.
  func of(passes: Int = 1, _ work: () -> Void) {
    begin(passes: passes)
    work()
    end()
  }

  /// Begins to count, in a function that can't pass its work to `of`.
  func begin(passes: Int = 1) {
    precondition(counts.values.isEmpty)
    if countsSteps { costs_begin_steps() } else { costs_begin() }
    costs_control(passes)
  }

  func end() {
    if countsSteps {
      counts.values = [costs_end_steps()]
    } else {
      costs_end()
      counts.values = (0..<Int32(Counter.steps.rawValue)).map { costs_count($0) }
    }
  }
}

/// Prints what the scenario costs.
///
/// - Parameters:
///   - recorded: How counters are recorded that are not exact.
///   - steps: Whether the instructions of the calling thread are recorded instead. They depend on the runtime.
func scenario(
  _ name: String, _ recorded: [Counter: Recorded] = [:], steps: Bool = false, _ body: (Costs) -> Void
) {
  if !filter.isEmpty, !name.contains(filter) { return }
  // The first run makes what the runtime and the package keep. All others must cost the same.
  var runs: [[Int]] = []
  for _ in 0...(isControl ? 1 : 3) {
    let costs = Costs(countsSteps: steps)
    body(costs)
    runs.append(costs.counts.values)
  }
  runs.removeFirst()
  defer { fflush(nil) }
  if steps { return print("\(name), in instructions | steps \(runs.map { $0[0] }.min()!)") }
  var text = ""
  for counter in Counter.allCases.dropLast() {
    let values = runs.map { $0[counter.rawValue] }
    switch recorded[counter, default: .exactly] {
    case .exactly:
      let all = Set(values).sorted()
      if all != [0] { text += " \(counter.name) \(all.map(String.init).joined(separator: " or "))," }
    case .atMost(let bound):
      text += " \(counter.name) \(values.allSatisfy { $0 <= bound } ? "<= \(bound)" : "\(values.max()!)"),"
    case .no: text += " \(counter.name) ?,"
    }
  }
  print("\(name) |\(text.isEmpty ? " nothing" : String(text.dropLast()))")
}

/// Threads that each wait behind a gate, and then run `work`.
final class Crew: @unchecked Sendable {
  // Sound: the semaphores synchronize, and the other properties never change.
  private let gates: UnsafeMutablePointer<sem_t>
  private let work: @Sendable (Int) -> Void
  let count: Int

  private final class Start {
    let crew: Crew
    let index: Int
    init(_ crew: Crew, _ index: Int) { (self.crew, self.index) = (crew, index) }
  }

  init(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    self.count = count
    self.work = work
    gates = .allocate(capacity: 2 * count)
    for index in 0..<count {
      sem_init(gates + index, 0, 0)
      sem_init(gates + count + index, 0, 0)
    }
    for index in 0..<count {
      let start = Unmanaged.passRetained(Start(self, index)).toOpaque()
      costs_start_thread(
        Int32(index),
        { context in
          let start = Unmanaged<Start>.fromOpaque(context!).takeRetainedValue()
          start.crew.run(start.index)
        }, start)
    }
    for index in 0..<count { sem_wait(gates + count + index) }
  }

  private func run(_ index: Int) {
    // Makes what the package keeps for each thread.
    useLocks()
    sem_post(gates + count + index)
    sem_wait(gates + index)
    work(index)
  }

  /// Opens each gate when the thread before is asleep.
  func go() {
    for index in 0..<count {
      sem_post(gates + index)
      costs_wait_until_asleep(Int32(index))
    }
  }

  /// Opens all gates.
  func goAll() {
    for index in 0..<count { sem_post(gates + index) }
  }

  func join() {
    for index in 0..<count { costs_join_thread(Int32(index)) }
  }

  deinit {
    gates.deallocate()
  }
}

/// Where tasks wait until the scenario resumes them.
final class Gate: @unchecked Sendable {
  // Sound: all tasks run on the first thread.
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func wait() async {
    await withCheckedContinuation { waiting.append($0) }
  }

  func open() {
    let all = waiting
    waiting = []
    for continuation in all { continuation.resume() }
  }
}

/// Starts tasks, and runs them until each waits or has ended.
@discardableResult
func tasks(_ count: Int, _ body: @escaping @Sendable (Int) async -> Void) -> [Task<Void, Never>] {
  let tasks = (0..<count).map { index in Task.detached { await body(index) } }
  costs_run_jobs()
  return tasks
}
