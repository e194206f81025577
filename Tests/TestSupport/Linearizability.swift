package import Exploration
internal import Synchronization

/// Performs operations on several threads, and returns their history.
///
/// The history has the result of each operation, and the times when it began and ended.
///
/// - Parameters:
///   - programs: The operations of each thread, in program order.
///   - perform: Performs an operation on the object under test.
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

/// A logical clock: each reading, on any thread, returns a greater time than all earlier readings.
private final class IntegerClock: Sendable {
  private let time = Atomic(0)

  func tick() -> Int { time.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}
