import ViewModels

/// An uploader whose uploads run until the test ends them.
actor HeldUploader: PlayerUploader {
  struct Refused: Error {}

  private var running: [CheckedContinuation<Void, any Error>] = []

  /// All uploads that have begun, in order.
  private(set) var begun: [PlayerUpload] = []

  /// The greatest number of uploads that ran at the same time.
  private(set) var mostAtOnce = 0

  func upload(_ upload: PlayerUpload) async throws {
    try await withCheckedThrowingContinuation { continuation in
      begun.append(upload)
      running.append(continuation)
      mostAtOnce = max(mostAtOnce, running.count)
    }
  }

  func waitUntilBegun(_ count: Int) async {
    while begun.count < count { await Task.yield() }
  }

  /// Ends the oldest running upload; traps if no upload is running.
  func end(_ result: Result<Void, Refused> = .success(())) {
    running.removeFirst().resume(with: result)
  }
}
