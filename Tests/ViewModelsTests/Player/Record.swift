/// Records the notifications of an observer, in order.
@MainActor
final class Record<Value> {
  private(set) var values: [Value] = []

  func add(_ value: Value) { values.append(value) }
}
