import TestSupport

/// What a thread does in the middle of a section.
enum Pause {
  case none
  case yield
  /// A section that sleeps: the others then wait for long, and in the kernel.
  case sleep(Duration)

  /// Mostly none.
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
