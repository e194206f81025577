#if DeadlockDetection
  internal import InterlockCore
  internal import InterlockServices

  /// Reports long waits, until there is no limit.
  enum LongWaits {
    private static let service = ServiceThread(idleTime: .zero)

    static func watch() { service.request(next) }

    @Sendable private static func next() -> ServiceThread.Next {
      guard let due = Detector.shared.nextReport else { return .rest }
      if !due.hasPassed { return .sleep(until: due) }
      return .call({ Detector.shared.reportLongWaits() }, othersWait: false)
    }
  }
#endif
