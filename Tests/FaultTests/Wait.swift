import AtomicProperties
import LazyInitialization
import Lifecycles
import LocksUnderTest
import Protectors
import ReadWriteLocks
import TestSupport
import UnfairLocks
import ViewModels

/// Describes a kind of wait: how to make an object, how to wait on it, and how to keep waiting threads
/// blocked.
struct Wait: Sendable, CustomStringConvertible {
  /// One wait, on an object of its own.
  struct Attempt: Sendable {
    /// Runs the closure while all waiting threads stay blocked, and then lets them proceed.
    let hold: @Sendable (_ inside: () -> Void) -> Void

    /// Waits until `hold` lets the thread proceed, or until a timeout expires.
    ///
    /// Returns whether the wait succeeded; `false` after a timeout.
    let wait: @Sendable () -> Bool
  }

  let description: String

  let make: @Sendable () -> Attempt

  init<Subject: Sendable>(
    _ description: String, for makeSubject: @escaping @Sendable () -> Subject,
    hold: @escaping @Sendable (Subject, () -> Void) -> Void,
    wait: @escaping @Sendable (Subject) -> Bool
  ) {
    self.description = description
    make = {
      let subject = makeSubject()
      return Attempt(hold: { inside in hold(subject, inside) }, wait: { wait(subject) })
    }
  }

  // MARK: Until it has what it waits for

  /// Every kind of wait, without a timeout or with one that is too long to expire in a test.
  static let all: [Wait] =
    unfairLocks(timeouts: [nil, long]) + LockUnderTest.all.flatMap { candidate in sections(of: candidate) }
    + timedSections(timeout: long) + predicates(timeouts: [nil, long]) + others

  /// Every kind of wait that can have a timeout, with the given timeout.
  static func all(timeout: Duration) -> [Wait] {
    unfairLocks(timeouts: [timeout]) + timedSections(timeout: timeout) + predicates(timeouts: [timeout])
      + stopFlags(timeout: timeout)
  }

  private static let long = Duration.seconds(1_000)

  private final class UnfairBox: Sendable {
    let lock = UnfairLock()
  }

  private static func unfairLocks(timeouts: [Duration?]) -> [Wait] {
    timeouts.map { timeout in
      Wait("UnfairLock, \(description(of: timeout))", for: { UnfairBox() }) { subject, inside in
        subject.lock.withLock { inside() }
      } wait: { subject in
        guard let timeout else { return subject.lock.withLock { true } }
        return unlessTimedOut { try subject.lock.withLock(timeout: timeout) { true } } == true
      }
    }
  }

  private static func description(of timeout: Duration?) -> String {
    timeout.map { "for \($0)" } ?? "for ever"
  }

  private static func timedSections(timeout: Duration) -> [Wait] {
    LockUnderTest.all.filter { $0.makeTimed != nil }.flatMap { sections(of: $0, timeout: timeout) }
  }

  /// - Parameter timeout: `nil` for none; the lock must have timeouts otherwise.
  private static func sections(of candidate: LockUnderTest, timeout: Duration? = nil) -> [Wait] {
    @Sendable func read(_ lock: any ReadWriteLock) -> Bool {
      guard let timeout else { return lock.withReadLock { true } }
      return unlessTimedOut { try (lock as! any RawReadWriteLock).withReadLock(timeout: timeout) { true } }
        == true
    }
    @Sendable func write(_ lock: any ReadWriteLock) -> Bool {
      guard let timeout else { return lock.withWriteLock { true } }
      return unlessTimedOut { try (lock as! any RawReadWriteLock).withWriteLock(timeout: timeout) { true } }
        == true
    }
    @Sendable func whileRead(_ lock: any ReadWriteLock, _ inside: () -> Void) {
      lock.withReadLock { inside() }
    }
    @Sendable func whileWritten(_ lock: any ReadWriteLock, _ inside: () -> Void) {
      lock.withWriteLock { inside() }
    }
    let limit = description(of: timeout)
    let make = candidate.make
    return [
      Wait("\(candidate), a reader for a writer, \(limit)", for: make, hold: whileWritten, wait: read),
      Wait("\(candidate), a writer for a writer, \(limit)", for: make, hold: whileWritten, wait: write),
      Wait("\(candidate), a writer for a reader, \(limit)", for: make, hold: whileRead, wait: write),
    ]
  }

  private static func predicates(timeouts: [Duration?]) -> [Wait] {
    ProtectorUnderTest.waiting.flatMap { candidate in
      timeouts.flatMap { timeout in
        ["read", "write"].map { access in
          Wait(
            "\(candidate), a predicate, to \(access), \(description(of: timeout))",
            for: { candidate.protectForWaits(false) }
          ) { protector, inside in
            inside()
            protector.withWriteLock { $0 = true }
          } wait: { protector in
            access == "read"
              ? protector.withReadLock(waitingUntil: { $0 }, timeout: timeout) { $0 } == true
              : protector.withWriteLock(waitingUntil: { $0 }, timeout: timeout) { $0 } == true
          }
        }
      }
    }
  }

  private static func stopFlags(timeout: Duration) -> [Wait] {
    [
      Wait("StopFlag, for \(timeout)", for: { StopFlag() }) { flag, inside in
        inside()
        flag.set()
      } wait: { flag in
        flag.waitUntilSet(timeout: timeout)
      }
    ]
  }

  // MARK: Other kinds

  private final class OnceBox: Sendable {
    struct Failure: Error {}

    let once = Once()
    let cell = OnceCell<Int>()
  }

  private final class Owner: Sendable {
    let lifecycle: Lifecycle

    init(isActive: Bool = false) {
      lifecycle = Lifecycle(label: "FaultTests")
      if isActive { lifecycle.activate() }
    }

    deinit {
      lifecycle.invalidate()
    }
  }

  private static let others: [Wait] =
    stopFlags(timeout: long) + lifecycles + [
      Wait("Once", for: { OnceBox() }) { subject, inside in
        subject.once.run { inside() }
      } wait: { subject in
        subject.once.run {}
        return subject.once.isComplete
      },
      Wait("Once, for a body that throws", for: { OnceBox() }) { subject, inside in
        try? subject.once.run {
          inside()
          throw OnceBox.Failure()
        }
      } wait: { subject in
        subject.once.run {}
        return subject.once.isComplete
      },
      Wait("OnceCell", for: { OnceBox() }) { subject, inside in
        subject.cell.withValue(orInitialize: {
          inside()
          return 1
        }) { _ in }
      } wait: { subject in
        subject.cell.value(orInitialize: { 2 }) == 1
      },
      Wait("AtomicProperty", for: { AtomicProperty(0) }) { property, inside in
        property.update { value in
          inside()
          value = 1
        }
      } wait: { property in
        property.value == 1
      },
      Wait("QueueProperty", for: { QueueProperty(0) }) { property, inside in
        property.update { value in
          inside()
          value = 1
        }
      } wait: { property in
        property.value == 1
      },
    ]

  private static var lifecycles: [Wait] {
    [
      Wait("Lifecycle, invalidate for a delivery", for: { Owner(isActive: true) }) { owner, inside in
        owner.lifecycle.whileActive { inside() }
      } wait: { owner in
        owner.lifecycle.invalidate()
        return owner.lifecycle.state == .invalidated
      },
      Wait("Lifecycle, activate for another", for: { Owner() }) { owner, inside in
        owner.lifecycle.activate { inside() }
      } wait: { owner in
        !owner.lifecycle.activate()
      },
      Wait("Lifecycle, invalidate for activate", for: { Owner() }) { owner, inside in
        owner.lifecycle.activate { inside() }
      } wait: { owner in
        owner.lifecycle.invalidate()
        return owner.lifecycle.state == .invalidated
      },
    ]
  }
}
