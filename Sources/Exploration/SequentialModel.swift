internal import InterlockCore

#if DeadlockDetection
  // Links the detector, which the core calls.
  internal import DeadlockDetection
#endif

/// The behavior of an object if its operations come one after another.
///
/// `Execution.expectLinearizable(_:)` compares concurrent operations with it.
public protocol SequentialModel: Hashable, Sendable {
  /// An operation with its arguments.
  associatedtype Operation: Sendable
  /// The result of an operation.
  associatedtype Result: Equatable, Sendable

  /// Applies an operation to the model's state, and returns the result that the object must give.
  mutating func apply(_ operation: Operation) -> Result
}

/// An operation of a history, with its beginning and its end on a clock that all threads share.
package struct RecordedOperation<Model: SequentialModel>: Sendable {
  package var thread = 0
  package let operation: Model.Operation
  /// The result of the operation; `nil` if the operation has not ended.
  package var result: Model.Result?
  package let began: Int
  package var ended = Int.max

  package init(_ operation: Model.Operation, on thread: Int, began: Int) {
    self.operation = operation
    self.thread = thread
    self.began = began
  }

  package init(_ operation: Model.Operation, _ result: Model.Result, began: Int, ended: Int) {
    self.operation = operation
    self.result = result
    self.began = began
    self.ended = ended
  }
}

extension SequentialModel {
  /// Whether the history is linearizable, given that the object began in this state.
  ///
  /// The model must give the same results in some order in which each operation takes effect between its
  /// beginning and its end.
  ///
  /// The search is by Wing and Gong ("Testing and verifying concurrent objects", 1993), with the memoisation
  /// by Lowe ("Testing for linearizability", 2017): a state reached by a set of operations need not be tried
  /// twice. A history of more than 64 operations traps.
  package func explains(_ history: [RecordedOperation<Self>]) -> Bool {
    if history.count > 64 {
      misuse(
        "SequentialModel", "compared with a history of \(history.count) operations", "perform at most 64")
    }
    var deadEnds: Set<Position<Self>> = []
    return canComplete(history, done: 0, &deadEnds)
  }

  private func canComplete(
    _ history: [RecordedOperation<Self>], done: UInt64, _ deadEnds: inout Set<Position<Self>>
  ) -> Bool {
    let open = history.indices.filter { done & (1 << UInt64($0)) == 0 }
    // An operation can come next only if it began before the end of every operation that is not ordered yet.
    // The search is over when only operations are left that have not ended.
    let firstEnd = open.map { history[$0].ended }.min() ?? .max
    if firstEnd == .max { return true }
    let position = Position(done: done, state: self)
    if deadEnds.contains(position) { return false }
    for index in open where history[index].began < firstEnd {
      var next = self
      let result = next.apply(history[index].operation)
      if let expected = history[index].result, result != expected { continue }
      if next.canComplete(history, done: done | 1 << UInt64(index), &deadEnds) { return true }
    }
    deadEnds.insert(position)
    return false
  }
}

/// A position of the search: the operations that have been ordered, and the model after them.
private struct Position<Model: SequentialModel>: Hashable {
  let done: UInt64
  let state: Model
}
