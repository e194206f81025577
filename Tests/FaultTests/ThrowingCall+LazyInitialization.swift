import LazyInitialization
import TestSupport

extension ThrowingCall {
  private final class OnceSubject: Sendable {
    let once = Once()
  }

  private final class Cell<Value: Sendable & ~Copyable>: Sendable {
    let cell = OnceCell<Value>()
    let lifetimes: Lifetimes

    init(_ lifetimes: Lifetimes) {
      self.lifetimes = lifetimes
    }
  }

  static let lazyInitialization: [ThrowingCall] = [
    ThrowingCall("Once.run", on: { _ in OnceSubject() }) { (subject, fault) throws(Failure) in
      try subject.once.run { () throws(Failure) in try fault.strike() }
    } then: { subject in
      // After the error, `once` must permit another attempt. This attempt completes it.
      subject.once.run {}
      return subject.once.isComplete
    },
    ThrowingCall("OnceCell.withValue(orInitialize:), making", on: { Cell<TrackedToken>($0) }) {
      (subject, fault) throws(Failure) in
      _ = try subject.cell.withValue(orInitialize: { () throws(Failure) in try fault.strike() }) {
        (_) throws(Failure) -> TrackedToken in TrackedToken(fault.lifetimes)
      }
    } then: { subject in
      subject.cell.withValue(orInitialize: { TrackedToken(subject.lifetimes, number: 8) }) { $0.number == 8 }
    },
    ThrowingCall("OnceCell.withValue(orInitialize:), using", on: { Cell<TrackedToken>($0) }) {
      (subject, fault) throws(Failure) in
      _ = try subject.cell.withValue(
        orInitialize: { () throws(Failure) in TrackedToken(fault.lifetimes, number: 9) }
      ) { (_) throws(Failure) -> TrackedToken in try fault.strike() }
    } then: { subject in
      // The value of the first closure stays in the cell, although the second closure threw.
      subject.cell.withValue { $0.number == 9 } == true
    },
    ThrowingCall(
      "OnceCell.withValue",
      on: { lifetimes in
        let subject = Cell<TrackedToken>(lifetimes)
        _ = subject.cell.set(TrackedToken(lifetimes, number: 10))
        return subject
      }
    ) { (subject, fault) throws(Failure) in
      _ = try subject.cell.withValue { (_) throws(Failure) -> TrackedToken in try fault.strike() }
    } then: { subject in
      subject.cell.withValue { $0.number == 10 } == true
    },
    ThrowingCall("OnceCell.value(orInitialize:)", on: { Cell<Tracked>($0) }) {
      (subject, fault) throws(Failure) in
      _ = try subject.cell.value(orInitialize: { () throws(Failure) in try fault.strike() })
    } then: { subject in
      subject.cell.value(orInitialize: { Tracked(subject.lifetimes, number: 11) }).number == 11
    },
  ]
}
