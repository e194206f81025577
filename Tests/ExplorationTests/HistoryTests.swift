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

    private func explore(_ queue: @escaping @Sendable () -> Queue) throws -> ExplorationSummary {
      try Exploration.explore(
        .exhaustive(preemptions: 2), limits: ExplorationLimits(duration: .seconds(10), namesLines: false)
      ) { run in
        let queue = queue()
        let history = OperationHistory(from: QueueModel())
        let perform: @Sendable (QueueModel.Operation) -> Void = { operation in
          history.perform(operation) { queue.perform(operation) }
        }
        let one = run.thread { perform(.push(1)) }
        let two = run.thread { perform(.pop) }
        perform(.pop)
        one.join()
        two.join()
        run.expectLinearizable(history)
      }
    }

    @Test func aRightQueueIsLinearizable() throws {
      print("explored a queue's histories: \(try explore { Queue(isFaulty: false) })")
    }

    @Test func aFaultyQueueIsFound() throws {
      let failure = try #require(throws: ExplorationFailure.self) { try explore { Queue(isFaulty: true) } }
      #expect(failure.reason.hasPrefix("Expectation: no order explains the results of these operations:"))
      #expect(failure.reason.contains("push(1) →"))
    }

    private struct DictionaryModel: SequentialModel {
      var values: [String: Int] = [:]

      enum Operation: Sendable { case increment(String), read(String) }

      mutating func apply(_ operation: Operation) -> Int {
        switch operation {
        case .increment(let key):
          values[key, default: 0] += 1
          return values[key]!
        case .read(let key): return values[key] ?? 0
        }
      }
    }

    private actor Counts {
      private var values: [String: Int] = [:]

      func increment(_ key: String, suspends: Bool) async -> Int {
        let value = values[key, default: 0] + 1
        if suspends { await Task.yield() }
        values[key] = value
        return value
      }

      func read(_ key: String) -> Int { values[key] ?? 0 }
    }

    private func exploreCounts(suspends: Bool) throws -> ExplorationSummary {
      try Exploration.explore(
        .random(executions: 300), limits: ExplorationLimits(duration: .seconds(10), namesLines: false)
      ) { run in
        let counts = Counts()
        let history = OperationHistory(from: DictionaryModel())
        let tasks = (0..<3).map { task in
          run.task {
            for call in 0..<3 {
              if (task + call).isMultiple(of: 3) {
                await history.perform(.read("a")) { await counts.read("a") }
              } else {
                await history.perform(.increment("a")) { await counts.increment("a", suspends: suspends) }
              }
            }
          }
        }
        for task in tasks { task.join() }
        run.expectLinearizable(history)
      }
    }

    @Test func nineOperationsOfThreeTasksAreChecked() throws {
      let summary = try exploreCounts(suspends: false)
      print("explored nine operations: \(summary)")
      #expect(summary.duration / .seconds(1) < Double(summary.executions))
    }

    @Test func aDictionaryThatSuspendsIsFound() throws {
      let failure = try #require(throws: ExplorationFailure.self) { try exploreCounts(suspends: true) }
      #expect(failure.reason.contains("increment(\"a\") →"))
    }

    /// The report must leave out operations that began after the history had become impossible.
    @Test func theReportShowsTheShortestHistory() throws {
      let failure = try #require(throws: ExplorationFailure.self) {
        try Exploration.explore(limits: ExplorationLimits(namesLines: false)) { run in
          let history = OperationHistory(from: QueueModel())
          history.perform(.push(1)) { nil }
          history.perform(.pop) { 2 }
          history.perform(.push(3)) { nil }
          run.expectLinearizable(history)
        }
      }
      #expect(failure.reason.contains("T0  pop → Optional(2), from 3 to 4"))
      #expect(!failure.reason.contains("push(3)"))
    }
  }
#endif
