internal import ContentionProfiles
internal import UnfairLocks

/// Records a profile of contention while profiled batches run.
///
/// The batches of several workers can overlap. A single recording then lasts from the beginning of the first
/// of them to the end of the last one.
final class ProfiledBatches: Sendable {
  static let shared = ProfiledBatches()

  private let lock = UnfairLock()
  // `nonisolated(unsafe)` is sound: `profiled` is accessed only while `lock` is held.
  private nonisolated(unsafe) var profiled = 0

  /// Runs `batch` and returns its result; records a profile during the batch if `isProfiled`.
  func run(isProfiled: Bool, _ batch: () -> Int) -> Int {
    if isProfiled {
      change(by: 1)
      defer { change(by: -1) }
      return batch()
    }
    return batch()
  }

  /// The profile of all profiled batches, as a table; `nil` if no wait was recorded in them.
  var profile: String? {
    let report = ContentionProfile.report()
    return report.locks.isEmpty ? nil : report.text(mostSites: 1, mostFrames: 1)
  }

  private func change(by step: Int) {
    lock.withLock {
      let before = profiled
      profiled += step
      if before == 0 { ContentionProfile.resume() }
      if profiled == 0 { ContentionProfile.stop() }
    }
  }
}
