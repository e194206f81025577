internal import Synchronization

/// The sequential behaviour of an object, with which the results of concurrent operations are compared.
package protocol SequentialModel: Hashable, Sendable {
  associatedtype Operation: Sendable
  associatedtype Result: Equatable, Sendable

  /// Performs an operation and returns its result.
  mutating func apply(_ operation: Operation) -> Result
}

/// The operations that several threads performed on one object.
///
/// Each operation has its result, and its beginning and end in ticks of a clock that all threads share.
package struct History<Model: SequentialModel>: Sendable {
  package struct Entry: Sendable {
    package let operation: Model.Operation
    package let result: Model.Result
    package let began: Int
    package let ended: Int

    package init(_ operation: Model.Operation, _ result: Model.Result, began: Int, ended: Int) {
      self.operation = operation
      self.result = result
      self.began = began
      self.ended = ended
    }
  }

  package let initial: Model
  package let entries: [Entry]

  package init(from initial: Model, _ entries: [Entry]) {
    self.initial = initial
    self.entries = entries
  }

  /// Records the operations of several threads.
  ///
  /// - Parameters:
  ///   - initial: The model in the object's initial state.
  ///   - programs: The operations of each thread.
  ///   - perform: Performs an operation on the object.
  package static func recorded(
    from initial: Model, _ programs: [[Model.Operation]],
    _ perform: @Sendable (Model.Operation) -> Model.Result
  ) -> History {
    let clock = Clock()
    let entries = race(threads: programs.count) { index in
      programs[index].map { operation in
        let began = clock.tick()
        let result = perform(operation)
        return Entry(operation, result, began: began, ended: clock.tick())
      }
    }
    return History(from: initial, entries.flatMap { $0 })
  }

  private final class Clock: Sendable {
    private let time = Atomic(0)

    func tick() -> Int { time.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
  }

  /// Whether the history is linearizable: whether the model yields the same results in some order in which
  /// each operation takes effect between its beginning and its end.
  ///
  /// The search is by Wing and Gong ("Testing and verifying concurrent objects", 1993), with the memoisation
  /// by Lowe ("Testing for linearizability", 2017): a state reached by a set of operations need not be tried
  /// twice. A history of more than 64 operations traps.
  package var isLinearizable: Bool {
    precondition(entries.count <= 64, "a history of \(entries.count) operations is too long to be checked")
    var deadEnds: Set<Position> = []
    return canComplete(Position(done: 0, state: initial), &deadEnds)
  }

  private struct Position: Hashable {
    var done: UInt64
    var state: Model
  }

  private func canComplete(_ position: Position, _ deadEnds: inout Set<Position>) -> Bool {
    let open = entries.indices.filter { position.done & (1 << UInt64($0)) == 0 }
    // An operation can come next only if it began before the end of every operation that is not ordered yet.
    guard let firstEnd = open.map({ entries[$0].ended }).min() else { return true }
    if deadEnds.contains(position) { return false }
    for index in open where entries[index].began < firstEnd {
      var next = position
      guard next.state.apply(entries[index].operation) == entries[index].result else { continue }
      next.done |= 1 << UInt64(index)
      if canComplete(next, &deadEnds) { return true }
    }
    deadEnds.insert(position)
    return false
  }
}
