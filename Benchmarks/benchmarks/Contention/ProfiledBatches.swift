internal import ContentionProfiles
internal import UnfairLocks

/// Records a profile of contention while profiled batches run.
///
/// Batches of several workers overlap. The batches of one round are all profiled, or none is.
final class ProfiledBatches: Sendable {
  static let shared = ProfiledBatches()

  private let lock = UnfairLock()
  // Sound: accessed only while `lock` is held.
  private nonisolated(unsafe) var profiled = 0

  /// Runs `batch`, during a recording if `isProfiled`.
  func run(isProfiled: Bool, _ batch: () -> Int) -> Int {
    if isProfiled {
      change(by: 1)
      defer { change(by: -1) }
      return batch()
    }
    return batch()
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
