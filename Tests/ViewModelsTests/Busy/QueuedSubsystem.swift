import AtomicProperties
import Dispatch
import Protectors

/// An observer of a `QueuedSubsystem`.
protocol SubsystemObserver: AnyObject, Sendable {
  func isCalled()
}

/// A subsystem with which an observer must not unregister in its `deinit`.
///
/// The subsystem calls observers on its own queue, and unregistering is a work item of that queue.
final class QueuedSubsystem: Sendable {
  /// The kind of reference from a registration to its observer.
  enum Hold {
    case strong
    case weak
  }

  private struct Registration: Sendable {
    var id: Int
    var observer: @Sendable () -> (any SubsystemObserver)?
  }

  private let queue = DispatchQueue(label: "subsystem")
  private let registrations = ExclusiveProtector<[Registration]>([])

  /// A property of the queue, used only for `preconditionNotOnQueue()`, which traps calls on the queue.
  private let turn: QueueProperty<Int>

  init() {
    turn = QueueProperty(0, on: queue)
  }

  var observerCount: Int { registrations.withWriteLock { $0.count } }

  func register(_ observer: some SubsystemObserver, id: Int, _ hold: Hold) {
    let registration =
      switch hold {
      case .strong: Registration(id: id) { observer }
      case .weak: Registration(id: id) { [weak observer] in observer }
      }
    registrations.withWriteLock { $0.append(registration) }
  }

  /// Unregisters in a work item of the queue, and waits until the work item has ended.
  ///
  /// A call on the queue traps, because it would deadlock.
  func unregister(_ id: Int) {
    turn.preconditionNotOnQueue()
    queue.sync { remove(id) }
  }

  /// Unregisters in a work item of the queue, and waits until the work item has ended or `timeout` has
  /// passed.
  ///
  /// Returns whether the work item has ended.
  func unregister(_ id: Int, timeout: Duration) -> Bool {
    let isRemoved = Protector(false)
    queue.async {
      self.remove(id)
      isRemoved.exchange(true)
    }
    return isRemoved.withReadLock(waitingUntil: { $0 }, timeout: timeout) { _ in }
  }

  private func remove(_ id: Int) {
    // The old array is released after the unlock, because it may hold the last reference to an observer.
    registrations.exchange { registrations in registrations.filter { $0.id != id } }
  }

  /// Removes all registrations on the calling thread; does not wait for the queue.
  func forgetObservers() {
    registrations.exchange([])
  }

  /// Calls the observers, on the queue.
  func callObservers() {
    queue.async {
      for registration in self.registrations.withWriteLock({ $0 }) { registration.observer()?.isCalled() }
    }
  }

  /// Waits until the queue has finished all work.
  func finish() {
    queue.sync {}
  }
}
