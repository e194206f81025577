import AtomicProperties
import TestSupport

extension ThrowingCall {
  private struct Value: Sendable {
    var changes = 0
    var tracked: Tracked

    /// Changes the value, and then throws.
    mutating func change(_ fault: Fault) throws(Failure) {
      changes += 1
      tracked = Tracked(fault.lifetimes)
      try fault.strike()
    }
  }

  static let properties: [ThrowingCall] = [
    ThrowingCall("AtomicProperty.update", on: { AtomicProperty(Value(tracked: Tracked($0))) }) {
      (property, fault) throws(Failure) in
      _ = try property.update { (value) throws(Failure) -> TrackedToken in
        try value.change(fault)
        return TrackedToken(fault.lifetimes)
      }
    } then: { property in
      property.value.changes == 1 && property.update { $0.changes == 1 }
    },
    ThrowingCall("AtomicProperty.value, modified", on: { AtomicProperty(Value(tracked: Tracked($0))) }) {
      (property, fault) throws(Failure) in
      try property.value.change(fault)
    } then: { property in
      property.value.changes == 1 && property.update { $0.changes == 1 }
    },
    ThrowingCall("QueueProperty.update", on: { QueueProperty(Value(tracked: Tracked($0))) }) {
      (property, fault) throws(Failure) in
      _ = try property.update { (value) throws(Failure) -> TrackedToken in
        try value.change(fault)
        return TrackedToken(fault.lifetimes)
      }
    } then: { property in
      property.value.changes == 1 && property.update { $0.changes == 1 }
    },
    ThrowingCall("QueueProperty.value, modified", on: { QueueProperty(Value(tracked: Tracked($0))) }) {
      (property, fault) throws(Failure) in
      try property.value.change(fault)
    } then: { property in
      property.value.changes == 1 && property.update { $0.changes == 1 }
    },
    ThrowingCall("LockFreeProperty.update", on: { _ in LockFreeProperty(0) }) {
      (property, fault) throws(Failure) in
      _ = try property.update(ordering: .acquiringAndReleasing) { (value) throws(Failure) -> TrackedToken in
        value += 1
        try fault.strike()
      }
    } then: { property in
      // The closure changed a copy and then threw, so the property has its old value.
      property.value == 0 && property.update(ordering: .acquiringAndReleasing) { $0 == 0 }
    },
  ]
}
