internal import InterlockCore
package import Exploration

/// Runs thousands of tasks of all priorities on the thread pool, on two actors and on the main actor, and
/// cancels randomly chosen tasks at random times.
package enum TaskStress {
  package static let taskCount = StressSize.pick(quick: 10_000, full: 100_000)

  private actor Caller {
    func run(_ body: nonisolated(nonsending) @Sendable () async -> Void) async { await body() }
  }

  @MainActor
  private static func runOnMainActor(_ body: nonisolated(nonsending) @Sendable () async -> Void) async {
    await body()
  }

  /// Runs `body` in each task, and returns when all tasks have ended.
  ///
  /// If waiting tasks blocked the threads of the pool, an unrelated task could not run, and this function
  /// would hang.
  ///
  /// - Parameter whenStarted: Called once all tasks have been started, and randomly chosen ones cancelled.
  package static func run(
    whenStarted: @Sendable () -> Void = {},
    _ body: nonisolated(nonsending) @escaping @Sendable (_ number: Int, inout SplitMix64) async -> Void
  ) async {
    let callers = [Caller(), Caller()]
    let isDone = RelaxedFlag()
    let ticks = RelaxedCounter()
    let ticker = Task.detached {
      while !isDone.isSet {
        ticks.add(1)
        await Task.yield()
      }
    }
    var random = Seed.current.generator(stream: 0)
    var tasks: [Task<Void, Never>] = []
    for number in 0..<taskCount {
      let priority: TaskPriority = [.background, .low, .medium, .high][Int(random.next() % 4)]
      tasks.append(
        Task.detached(priority: priority) {
          let inPlace: nonisolated(nonsending) @Sendable () async -> Void = {
            var random = Seed.current.generator(stream: number + 1)
            await body(number, &random)
          }
          switch number % 4 {
          case 0: await inPlace()
          case 1: await runOnMainActor(inPlace)
          default: await callers[number % 2].run(inPlace)
          }
        })
      if random.happens(percent: 40) {
        tasks[Int(random.next() % UInt64(tasks.count))].cancel()
      }
    }
    for task in tasks where random.happens(percent: 20) { task.cancel() }
    // Most tasks are waiting now. If they blocked the threads of the pool, `ticker` could not run.
    let before = ticks.value
    while ticks.value == before { await Task.yield() }
    whenStarted()
    for task in tasks { await task.value }
    isDone.set()
    await ticker.value
  }
}
