#if Exploration
  internal import InterlockCore

  /// The operations that the threads and tasks of an execution perform on an object, for
  /// `Execution.expectLinearizable(_:)`.
  ///
  /// ```swift
  /// struct Counter: SequentialModel {
  ///   var value = 0
  ///
  ///   enum Operation { case add(Int), read }
  ///
  ///   mutating func apply(_ operation: Operation) -> Int {
  ///     switch operation {
  ///     case .add(let number): value += number
  ///     case .read: break
  ///     }
  ///     return value
  ///   }
  /// }
  /// ```
  public final class OperationHistory<Model: SequentialModel>: @unchecked Sendable {
    // `OperationHistory` is `@unchecked Sendable`, which is sound: one thread of an execution runs at a time.

    let initial: Model
    private(set) var entries: [RecordedOperation<Model>] = []
    private var time = 0

    /// Makes a history without operations.
    ///
    /// - Parameter initial: The model in the state in which the object begins.
    public init(from initial: Model) { self.initial = initial }

    /// Performs an operation on the object, and adds it to the history.
    ///
    /// If `body` throws, the operation counts as one that has not ended.
    ///
    /// - Parameters:
    ///   - operation: The operation, as the model knows it.
    ///   - body: Performs the operation on the object.
    /// - Returns: The result of `body`.
    @discardableResult
    public func perform(_ operation: Model.Operation, _ body: () throws -> Model.Result) rethrows
      -> Model.Result
    {
      let index = begin(operation)
      let result = try body()
      end(index, result)
      return result
    }

    /// Performs an asynchronous operation on the object, and adds it to the history.
    ///
    /// If `body` throws, the operation counts as one that has not ended.
    ///
    /// - Parameters:
    ///   - operation: The operation, as the model knows it.
    ///   - isolation: The actor of the caller.
    ///   - body: Performs the operation on the object.
    /// - Returns: The result of `body`.
    @discardableResult
    public func perform(
      _ operation: Model.Operation, isolation: isolated (any Actor)? = #isolation,
      _ body: () async throws -> Model.Result
    ) async rethrows -> Model.Result {
      let index = begin(operation)
      let result = try await body()
      end(index, result)
      return result
    }

    private func begin(_ operation: Model.Operation) -> Int {
      time += 1
      let thread = (ExploredThreads.current as? ExecutionThread)?.id ?? 0
      entries.append(RecordedOperation(operation, on: thread, began: time))
      return entries.count - 1
    }

    private func end(_ index: Int, _ result: Model.Result) {
      time += 1
      entries[index].result = result
      entries[index].ended = time
    }
  }

  extension Execution {
    /// Fails the execution unless some order of the operations explains their results.
    ///
    /// In that order, an operation that ended before another one began must come first. The model, run in
    /// that order, must give the results that the operations had. Operations that have not ended may come
    /// anywhere after their beginning, or not at all. The report shows the shortest beginning of the history
    /// that no order explains. Call this method when the threads and tasks have ended.
    ///
    /// - Parameter history: The operations, at most 64. A longer history fails the execution.
    /// - Complexity: Exponential in the number of operations that overlap, in the worst case.
    public func expectLinearizable<Model: SequentialModel>(_ history: OperationHistory<Model>) {
      let count = history.entries.count
      guard count <= 64 else { return expect(false, "a history of \(count) operations is too long to check") }
      guard let unexplained = history.shortestUnexplained else { return }
      expect(false, "no order explains the results of these operations:\n\(unexplained)")
    }
  }

  extension OperationHistory {
    /// The shortest beginning of the history that no order explains, as text; `nil` if an order explains the
    /// whole history.
    var shortestUnexplained: String? {
      guard !initial.explains(entries) else { return nil }
      // Checks the history up to the end of each operation, shortest first. Operations that end later count
      // as not ended.
      for time in entries.map(\.ended).filter({ $0 < .max }).sorted() {
        let part = entries.filter { $0.began < time }.map { entry in
          var entry = entry
          if entry.ended > time { (entry.result, entry.ended) = (nil, .max) }
          return entry
        }
        if !initial.explains(part) { return Self.text(part) }
      }
      return nil
    }

    private static func text(_ entries: [RecordedOperation<Model>]) -> String {
      entries.map { entry in
        let result = entry.result.map { "\($0)" } ?? "(has not ended)"
        let ended = entry.ended == .max ? "" : "\(entry.ended)"
        return "  T\(entry.thread)  \(entry.operation) → \(result), from \(entry.began) to \(ended)"
      }
      .joined(separator: "\n")
    }
  }
#endif
