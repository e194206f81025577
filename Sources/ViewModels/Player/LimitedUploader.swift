internal import AsyncLocks

/// An uploader that several forms share, and that limits how many of their uploads run at a time.
///
/// ```swift
/// let shared = LimitedUploader(server, uploads: 2)
/// let forms = names.map { PlayerViewModel(PlayerState(name: $0), uploader: shared) }
/// ```
///
/// Each form makes one upload at a time, but many forms could upload at the same time. Uploads beyond the
/// maximum wait in the order in which they were requested, without blocking a thread. A form's upload timeout
/// includes this wait.
public struct LimitedUploader: PlayerUploader {
  private let uploader: any PlayerUploader
  private let permits: AsyncSemaphore

  /// Makes an uploader.
  ///
  /// - Parameters:
  ///   - uploader: Makes the uploads.
  ///   - uploads: The maximum number of uploads at a time; less than 1 traps.
  public init(_ uploader: any PlayerUploader, uploads: Int) {
    self.uploader = uploader
    permits = AsyncSemaphore(permits: uploads, label: "uploads")
  }

  /// Waits until fewer than the maximum number of uploads are running, then uploads.
  ///
  /// - Throws: The error of the uploader; `CancellationError` if the task is cancelled while it waits.
  @concurrent
  public func upload(_ upload: PlayerUpload) async throws {
    try await permits.withPermitUnlessCancelled { try await uploader.upload(upload) }
  }
}
