import ViewModels

/// An uploader whose uploads end when the test says so.
actor HeldUploader: PlayerUploader {
  struct Refused: Error {}

  private var running: [CheckedContinuation<Void, any Error>] = []
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// What has been uploaded, or begun to be, in order.
  private(set) var begun: [PlayerUpload] = []

  /// How many uploads ran at the same time, at most.
  private(set) var mostAtOnce = 0

  func upload(_ upload: PlayerUpload) async throws {
    try await withCheckedThrowingContinuation { continuation in
      begun.append(upload)
      running.append(continuation)
      mostAtOnce = max(mostAtOnce, running.count)
      let ready = waiting.filter { $0.count <= begun.count }
      waiting.removeAll { $0.count <= begun.count }
      for (_, continuation) in ready { continuation.resume() }
    }
  }

  /// Waits until `count` uploads have begun.
  func waitUntilBegun(_ count: Int) async {
    if begun.count >= count { return }
    await withCheckedContinuation { waiting.append((count, $0)) }
  }

  /// Ends the upload that has been running for longest, which must be there.
  func end(_ result: Result<Void, Refused> = .success(())) {
    running.removeFirst().resume(with: result)
  }
}
