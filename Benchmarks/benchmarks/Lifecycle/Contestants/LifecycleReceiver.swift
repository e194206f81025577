internal import Lifecycles

/// A receiver that holds a `Lifecycle`.
final class LifecycleReceiver: EventReceiver {
  private let lifecycle = Lifecycle(label: "LifecycleReceiver")

  init() {
    lifecycle.activate()
  }

  deinit {
    // Deallocating an active `Lifecycle` traps. Invalidating it in `deinit` is sound, because no thread still
    // sends events to this receiver.
    lifecycle.invalidate()
  }

  func receive(_ count: UnsafeMutablePointer<Int>) {
    lifecycle.whileActive { count.pointee &+= 1 }
  }
}
