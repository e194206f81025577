#if Exploration
  import Exploration
  import Protectors
  import Testing

  /// Tests `expectLinearizable`, with correct and faulty objects.
  @Suite(.serialized) struct HistoryTests {
    private struct QueueModel: SequentialModel {
      var elements: [Int] = []

      enum Operation: Sendable { case push(Int), pop }

      mutating func apply(_ operation: Operation) -> Int? {
        switch operation {
        case .push(let element):
          elements.append(element)
          return nil
        case .pop: return elements.isEmpty ? nil : elements.removeFirst()
        }
      }
    }

    /// A queue whose faulty form reads the first element in one critical section, and removes the first
    /// element in another.
    private final class Queue: Sendable {
      private let elements = ExclusiveProtector<[Int]>([])
      private let isFaulty: Bool

      init(isFaulty: Bool) { self.isFaulty = isFaulty }

      func perform(_ operation: QueueModel.Operation) -> Int? {
        switch operation {
        case .push(let element):
          elements.withLock { $0.append(element) }
          return nil
        case .pop:
          guard isFaulty else { return elements.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
          let first = elements.withLock { $0.first }
          elements.withLock { if !$0.isEmpty { $0.removeFirst() } }
          return first
        }
      }
    }

    private func exploreThreads(isFaulty: Bool) throws -> ExplorationSummary {
      try explore(
        .exhaustive(preemptions: 2),
        limits: ExplorationLimits(
          duration: .seconds(10), namesLines: false, acceptsUnfinishedSearch: true)
      ) { run in
        let queue = Queue(isFaulty: isFaulty)
        let history = OperationHistory(from: QueueModel())
        let perform: @Sendable (QueueModel.Operation) -> Void = { operation in
          history.perform(operation) { queue.perform(operation) }
        }
        run.inThreads({ perform(.push(1)) }, { perform(.pop) }, { perform(.pop) })
        run.expectLinearizable(history)
      }
    }

    @Test func aRightQueueIsLinearizable() throws {
      print("explored a queue's histories: \(try exploreThreads(isFaulty: false))")
    }

    @Test func aFaultyQueueIsFound() throws {
      let failure = try #require(throws: ExplorationFailure.self) { try exploreThreads(isFaulty: true) }
      #expect(failure.reason.hasPrefix("Expectation: no order explains the results of these operations:"))
      #expect(failure.reason.contains("push(1) →"))
    }

    /// Explores a queue on which each of three tasks pushes once and pops twice.
    private func exploreTasks(isFaulty: Bool) throws -> ExplorationSummary {
      try explore(
        .random(executions: 300),
        limits: ExplorationLimits(
          duration: .seconds(10), namesLines: false, acceptsUnfinishedSearch: true)
      ) { run in
        let queue = Queue(isFaulty: isFaulty)
        let history = OperationHistory(from: QueueModel())
        let perform: @Sendable (QueueModel.Operation) async -> Void = { operation in
          await history.perform(operation) {
            await Task.yield()
            return queue.perform(operation)
          }
        }
        let tasks = (0..<3).map { task in
          run.task {
            for call in 0..<3 { await perform(call == task ? .push(task) : .pop) }
          }
        }
        for task in tasks { task.join() }
        run.expectLinearizable(history)
      }
    }

    @Test func nineOperationsOfThreeTasksAreChecked() throws {
      let summary = try exploreTasks(isFaulty: false)
      print("explored nine operations: \(summary)")
      #expect(summary.duration / .seconds(1) < Double(summary.executions))
    }

    @Test func aFaultyQueueOfTasksIsFound() throws {
      let failure = try #require(throws: ExplorationFailure.self) { try exploreTasks(isFaulty: true) }
      #expect(failure.reason.contains("pop →"))
    }

    /// The report must leave out operations that began after the history had become impossible.
    @Test func theReportShowsTheShortestHistory() throws {
      let failure = try failure { run in
        let history = OperationHistory(from: QueueModel())
        history.perform(.push(1)) { nil }
        history.perform(.pop) { 2 }
        history.perform(.push(3)) { nil }
        run.expectLinearizable(history)
      }
      #expect(failure.reason.contains("T0  pop → Optional(2), from 3 to 4"))
      #expect(!failure.reason.contains("push(3)"))
    }
  }
#endif
