/// One upload after another, each with a limit of time.
struct PlayerUploading: Sendable {
  let uploader: any PlayerUploader
  let timeout: Duration
  let clock: any Clock<Duration>

  private enum Ending {
    case succeeded
    case failed(PlayerUploadFailure)
    case late
    case clockStopped
  }

  /// Uploads, and returns why that failed, or `nil` when it has succeeded.
  ///
  /// An uploader that is late is cancelled and waited for: as long as it works, a second one must not begin. How it ends
  /// counts, for the upload may have taken place all the same.
  @concurrent
  func upload(_ upload: PlayerUpload) async -> PlayerUploadFailure? {
    await withTaskGroup(of: Ending.self) { group in
      group.addTask {
        do {
          try await uploader.upload(upload)
          return .succeeded
        } catch {
          return .failed(.refused(String(describing: error)))
        }
      }
      group.addTask {
        do {
          try await clock.sleep(for: timeout)
          return .late
        } catch {
          return .clockStopped
        }
      }
      var isLate = false
      for await ending in group {
        switch ending {
        case .succeeded:
          group.cancelAll()
          return nil
        case .failed(let failure):
          group.cancelAll()
          return isLate ? .timedOut : failure
        case .late:
          isLate = true
          group.cancelAll()
        case .clockStopped:
          break
        }
      }
      // Not reached: the uploader's task ends in one of the first two ways.
      return .timedOut
    }
  }
}
