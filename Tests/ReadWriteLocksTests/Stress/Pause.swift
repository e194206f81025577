import TestSupport

/// A pause in the middle of a critical section.
enum Pause {
  case none
  case yield
  /// Sleeps, so that other threads wait long enough to sleep in the kernel.
  case sleep(Duration)

  /// A random pause; `none` in 95 percent of the cases.
  static func random(using random: inout SplitMix64) -> Pause {
    switch random.next() % 400 {
    case 0: .sleep(.microseconds(Int64(random.next() % 500)))
    case 1..<20: .yield
    default: .none
    }
  }

  func take() {
    switch self {
    case .none: break
    case .yield: PlatformThread.yield()
    case .sleep(let duration): MonotonicClock.sleep(duration)
    }
  }
}
