/// What an observer was told, in order.
@MainActor
final class Record<Value> {
  private(set) var values: [Value] = []

  func add(_ value: Value) { values.append(value) }
}
