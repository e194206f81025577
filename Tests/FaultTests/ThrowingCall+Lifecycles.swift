import Jobs
import Lifecycles
import Observers
import TestSupport
import ViewModels

extension ThrowingCall {
  /// An object that invalidates its lifecycle in `deinit`.
  private final class Owner: Sendable {
    let lifecycle: Lifecycle

    private let activations = RelaxedCounter()

    init(isActive: Bool) {
      lifecycle = Lifecycle(label: "FaultTests")
      if isActive { lifecycle.activate() }
    }

    deinit {
      lifecycle.invalidate()
    }

    /// Activates the lifecycle, unless an earlier call of this function has.
    ///
    /// Returns whether the lifecycle is now active, and was activated by exactly one of these calls.
    func activatesOnce() -> Bool {
      if lifecycle.activate() { activations.add(1) }
      return activations.value == 1 && isActive()
    }

    func isActive() -> Bool {
      lifecycle.state == .active && lifecycle.whileActive { true } == true
    }

    func isInvalidated() -> Bool {
      lifecycle.state == .invalidated && lifecycle.whileActive { true } == nil
        && !lifecycle.activate() && !lifecycle.invalidate()
    }
  }

  static var lifecycles: [ThrowingCall] {
    let inactive: @Sendable (Lifetimes) -> Owner = { _ in Owner(isActive: false) }
    let active: @Sendable (Lifetimes) -> Owner = { _ in Owner(isActive: true) }
    func call(
      _ name: String, on make: @escaping @Sendable (Lifetimes) -> Owner,
      _ isAsDocumented: @escaping @Sendable (Owner) -> Bool,
      _ fail: @escaping @Sendable (Owner, Fault) throws(Failure) -> Void
    ) -> ThrowingCall {
      ThrowingCall("Lifecycle.\(name)", on: make, fail, then: isAsDocumented)
    }
    return [
      call("activate", on: inactive, { $0.activatesOnce() }) { (owner, fault) throws(Failure) in
        try owner.lifecycle.activate { () throws(Failure) in try fault.strike() }
      },
      call("activate, in a delivery", on: inactive, { $0.activatesOnce() }) {
        (owner, fault) throws(Failure) in
        try owner.lifecycle.activate { () throws(Failure) in
          _ = try owner.lifecycle.whileActive { () throws(Failure) -> TrackedToken in try fault.strike() }
        }
      },
      call("whileActive", on: active, { $0.isActive() }) { (owner, fault) throws(Failure) in
        _ = try owner.lifecycle.whileActive { () throws(Failure) -> TrackedToken in try fault.strike() }
      },
      call("whileActive, nested", on: active, { $0.isActive() }) { (owner, fault) throws(Failure) in
        _ = try owner.lifecycle.whileActive { () throws(Failure) -> TrackedToken? in
          try owner.lifecycle.whileActive { () throws(Failure) -> TrackedToken in try fault.strike() }
        }
      },
      call("whileActive, below twelve read sections", on: active, { $0.isActive() }) {
        (owner, fault) throws(Failure) in
        try inReadSections(of: 12) { () throws(Failure) in
          _ = try owner.lifecycle.whileActive { () throws(Failure) -> TrackedToken in try fault.strike() }
        }
      },
      call("invalidate", on: active, { $0.isInvalidated() }) { (owner, fault) throws(Failure) in
        try owner.lifecycle.invalidate { () throws(Failure) in try fault.strike() }
      },
      call("invalidate, in a delivery", on: active, { $0.isInvalidated() }) {
        (owner, fault) throws(Failure) in
        _ = try owner.lifecycle.whileActive { () throws(Failure) -> Bool in
          try owner.lifecycle.invalidate { () throws(Failure) in try fault.strike() }
        }
      },
    ]
  }

  // MARK: Many elements, many observers

  private final class Observed: Sendable {
    let observers = WeakObservers<Tracked>()
    let alive: [Tracked]

    init(_ lifetimes: Lifetimes) {
      alive = (0..<3).map { Tracked(lifetimes, number: $0) }
      observers.add(whileAlive: alive[0])
      // The second observer is deallocated immediately. So the list contains an entry without an observer
      // when a later observer's call throws.
      observers.add(whileAlive: Tracked(lifetimes))
      observers.add(whileAlive: alive[1])
      observers.add(whileAlive: alive[2])
    }
  }

  private final class KeyObserved: Sendable {
    let observers = KeyedObservers<Tracked>()
    let keys: [Tracked]

    init(_ lifetimes: Lifetimes) {
      keys = (0..<3).map { Tracked(lifetimes, number: $0) }
      for key in keys { observers.set(Tracked(lifetimes, number: key.number), for: key) }
    }
  }

  static let iterations: [ThrowingCall] = [
    ThrowingCall("WeakObservers.forEach", on: { Observed($0) }) { (subject, fault) throws(Failure) in
      try subject.observers.forEach { (observer) throws(Failure) in
        if observer.number == 1 { try fault.strike() }
      }
    } then: { subject in
      var numbers: [Int] = []
      subject.observers.forEach { numbers.append($0.number) }
      return numbers == [0, 1, 2]
    },
    ThrowingCall("KeyedObservers.forEach", on: { KeyObserved($0) }) { (subject, fault) throws(Failure) in
      try subject.observers.forEach { (_, value) throws(Failure) in
        if value.number == 1 { try fault.strike() }
      }
    } then: { subject in
      var numbers: [Int] = []
      subject.observers.forEach { numbers.append($1.number) }
      return numbers == [0, 1, 2]
    },
  ]

  static let concurrentIterations: [ThrowingCall] = [
    ThrowingCall("concurrentForEach", on: { lifetimes in (0..<50).map { Tracked(lifetimes, number: $0) } }) {
      (objects, fault) throws(Failure) in
      try objects.concurrentForEach { (object) throws(Failure) in
        if object.number == 17 { try fault.strike() }
      }
    } then: { objects in
      let calls = RelaxedCounter()
      objects.concurrentForEach { _ in calls.add(1) }
      return calls.value == 50
    },
    ThrowingCall("concurrentMap", on: { lifetimes in (0..<50).map { Tracked(lifetimes, number: $0) } }) {
      (objects, fault) throws(Failure) in
      _ = try objects.concurrentMap { (object) throws(Failure) -> Tracked in
        if object.number == 17 { try fault.strike() }
        return Tracked(fault.lifetimes, number: object.number)
      }
    } then: { objects in
      objects.concurrentMap { $0.number } == Array(0..<50)
    },
    ThrowingCall("withThreads", on: { lifetimes in (0..<4).map { Tracked(lifetimes, number: $0) } }) {
      (objects, fault) throws(Failure) in
      try withThreads(4) { (index) throws(Failure) -> Tracked in
        if index == 2 { try fault.strike() }
        return Tracked(fault.lifetimes, number: objects[index].number)
      }
    } then: { objects in
      withThreads(4) { objects[$0].number } == Array(0..<4)
    },
  ]
}
