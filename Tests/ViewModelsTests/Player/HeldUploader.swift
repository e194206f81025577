import ViewModels

/// An uploader whose uploads run until the test ends them.
actor HeldUploader: PlayerUploader {
  struct Refused: Error {}

  private var running: [CheckedContinuation<Void, any Error>] = []
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// All uploads that have begun, in order.
  private(set) var begun: [PlayerUpload] = []

  /// The greatest number of uploads that ran at the same time.
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

  func waitUntilBegun(_ count: Int) async {
    if begun.count >= count { return }
    await withCheckedContinuation { waiting.append((count, $0)) }
  }

  /// Ends the oldest running upload; traps if no upload is running.
  func end(_ result: Result<Void, Refused> = .success(())) {
    running.removeFirst().resume(with: result)
  }
}
