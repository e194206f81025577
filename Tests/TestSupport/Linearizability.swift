package import Exploration
internal import Synchronization

/// Performs operations on several threads, and returns their history.
///
/// - Parameters:
///   - programs: The operations of each thread.
///   - perform: Performs an operation on the object.
package func history<Model: SequentialModel>(
  of model: Model.Type, _ programs: [[Model.Operation]],
  _ perform: @Sendable (Model.Operation) -> Model.Result
) -> [RecordedOperation<Model>] {
  let clock = IntegerClock()
  return race(threads: programs.count) { index in
    programs[index].map { operation in
      let began = clock.tick()
      let result = perform(operation)
      return RecordedOperation(operation, result, began: began, ended: clock.tick())
    }
  }
  .flatMap { $0 }
}

/// A clock that shows a later time at each reading, on any thread.
private final class IntegerClock: Sendable {
  private let time = Atomic(0)

  func tick() -> Int { time.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}
