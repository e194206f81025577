/// Runs uploads with a timeout; the caller must run only one at a time.
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

  /// Runs an upload; returns its failure, or `nil` on success.
  ///
  /// After the timeout, the uploader's task is cancelled. This function still waits for the task's end,
  /// because no second upload may begin before that. If the uploader succeeds despite the cancellation, the
  /// result is success.
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
          // The standard library's clocks trap when they sleep for more than `Int64.max` seconds.
          try await clock.sleep(for: min(timeout, .seconds(Int32.max)))
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
      // Never reached: the uploader's task always ends with success or failure.
      return .timedOut
    }
  }
}
