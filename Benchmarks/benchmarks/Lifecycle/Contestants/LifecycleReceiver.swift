internal import Lifecycles

/// A receiver that holds a `Lifecycle`.
final class LifecycleReceiver: EventReceiver {
  private let lifecycle = Lifecycle("LifecycleReceiver")

  init() {
    lifecycle.activate()
  }

  deinit {
    // Nobody holds it any more, and no worker runs: here that is the end of the run.
    lifecycle.invalidate()
  }

  func receive(_ count: UnsafeMutablePointer<Int>) {
    lifecycle.whileActive { count.pointee &+= 1 }
  }
}
