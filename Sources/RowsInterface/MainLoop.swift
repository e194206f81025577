internal import AtomicProperties
internal import Dispatch

/// The main actor in a program whose main function is not Swift: somebody has to serve it.
enum MainLoop {
  private static let mark = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
  }()

  /// Whether the calling thread is the main actor's: it runs the main queue, or is the process's first
  /// thread.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

  /// Whether `serve(for:)` runs.
  @MainActor private static var isServing = false
  private static let shallStop = AtomicProperty(false)

  /// Runs what waits for the main actor until `stop()` is called or the time has passed.
  ///
  /// - Parameter nanoseconds: How long at most; the greatest number is without limit.
  /// - Returns: Whether `stop()` was called; `nil` where it runs already, or this is not the first thread.
  @MainActor
  static func serve(for nanoseconds: UInt64) -> Bool? {
    guard !isServing, MainLoopPlatform.isFirstThread else { return nil }
    isServing = true
    defer { isServing = false }
    let start = DispatchTime.now().uptimeNanoseconds
    while true {
      MainLoopPlatform.runPending()
      if shallStop.exchange(false) { return true }
      let elapsed = DispatchTime.now().uptimeNanoseconds - start
      if elapsed >= nanoseconds { return false }
      MainLoopPlatform.wait(nanoseconds: nanoseconds - elapsed)
    }
  }

  /// Makes the `serve(for:)` that runs return, or the next one.
  static func stop() {
    shallStop.exchange(true)
    // Wakes the thread.
    DispatchQueue.main.async {}
  }
}
