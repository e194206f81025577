import InterlockCore
import TestSupport
import Testing

@testable import LazyInitialization

/// Tests thousands of tasks that share runs, fail and are cancelled.
@Suite(.serialized) struct SingleFlightStressTests {
  private struct Refused: Error {
    var run: Int
  }

  /// What the runs for one key have done.
  private struct Runs: Sendable {
    var begun = 0
    var ended: Set<Int> = []
  }

  @Test func eachTaskGetsTheResultOfARunForItsKey() async {
    let keys = 8
    let flights = SingleFlight<Int, Int>()
    let runs = (0..<keys).map { _ in Monitor(Runs()) }
    let (values, errors, cancellations) = (RelaxedCounter(), RelaxedCounter(), RelaxedCounter())
    let strangers = RelaxedCounter()
    await TaskStress.run { number, random in
      let key = Int(random.next() % UInt64(keys))
      let isThrowing = random.happens(percent: 30)
      let pauses = Int(random.next() % 4)
      do {
        let value = try await flights.value(for: key) {
          let run = runs[key].enter { runs in
            runs.begun += 1
            return runs.begun
          }
          for _ in 0..<pauses { await Task.yield() }
          // Of several runs, all but the one of the newest flight are cancelled, or about to be. The order in which
          // they begin does not tell which one that is: a task may begin late.
          while !Task.isCancelled, runs[key].enter({ $0.begun - $0.ended.count > 1 }) { await Task.yield() }
          _ = runs[key].enter { $0.ended.insert(run) }
          if isThrowing { throw Refused(run: run) }
          return run * keys + key
        }
        values.add(1)
        if value % keys != key || !runs[key].enter({ $0.ended.contains(value / keys) }) { strangers.add(1) }
      } catch is CancellationError {
        cancellations.add(1)
        if !Task.isCancelled { strangers.add(1) }
      } catch {
        errors.add(1)
        if let error = error as? Refused, runs[key].enter({ $0.ended.contains(error.run) }) { return }
        strangers.add(1)
      }
    }
    #expect(strangers.value == 0, "\(Seed.current)")
    #expect(values.value + errors.value + cancellations.value == TaskStress.taskCount)
    #expect(values.value > 0)
    #expect(flights.waiterCounts == [], "no key is left: \(Seed.current)")
    // Runs that were cancelled may end later than all calls.
    for key in runs { while key.enter({ $0.ended.count < $0.begun }) { await Task.yield() } }
  }

  /// All tasks wait for one run, which ends when the last one has joined.
  @Test func manyTasksShareOneRun() async {
    let flights = SingleFlight<Int, Int>()
    let gate = TaskGate()
    let begun = RelaxedCounter()
    let tasks = (0..<TaskStress.taskCount).map { _ in
      Task {
        try? await flights.value(for: 1) {
          await gate.pass()
          return begun.add(1)
        }
      }
    }
    while flights.waiterCounts != [tasks.count] { await Task.yield() }
    for (number, task) in tasks.enumerated() where number % 2 == 0 { task.cancel() }
    await gate.open()
    for (number, task) in tasks.enumerated() { #expect(await task.value == (number % 2 == 0 ? nil : 1)) }
    #expect(begun.value == 1)
    #expect(flights.waiterCounts == [])
  }
}
