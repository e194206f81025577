import AtomicProperties

/// The common functions of an `AtomicProperty` and a `QueueProperty`.
protocol AssignableProperty<Value>: AnyObject, Sendable {
  associatedtype Value: Equatable & Sendable

  var value: Value { get set }
  func exchange(_ newValue: Value) -> Value
  func compareExchange(expected: Value, desired: Value) -> (exchanged: Bool, original: Value)
}

extension AtomicProperty: AssignableProperty where Value: Equatable {}
extension QueueProperty: AssignableProperty where Value: Equatable {}
