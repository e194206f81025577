internal import Lifecycles

/// A receiver that holds a `Lifecycle`.
final class LifecycleReceiver: EventReceiver {
  private let lifecycle = Lifecycle("LifecycleReceiver")

  init() {
    lifecycle.activate()
  }

  deinit {
    // The receiver is deallocated at the end of the run, when no worker uses it.
    lifecycle.invalidate()
  }

  func receive(_ count: UnsafeMutablePointer<Int>) {
    lifecycle.whileActive { count.pointee &+= 1 }
  }
}
