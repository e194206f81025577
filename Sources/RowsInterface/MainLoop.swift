internal import AtomicProperties
internal import CRows
internal import Dispatch

/// Runs the work of the main actor in a program whose main function is not Swift.
///
/// Such a program has to call `serve(for:)`, because no other code runs this work.
enum MainLoop {
  private static let mark = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
  }()

  /// Whether the calling thread may run code of the main actor.
  ///
  /// True on a thread that is running the main queue, and on the main thread. The main thread is the first
  /// thread of the process or, on Linux, the thread that loaded this library while the program ran.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

  /// Whether a call of `serve(for:)` is running.
  @MainActor private static var isServing = false
  private static let shallStop = AtomicProperty(false)

  /// Runs the work of the main actor until `stop()` is called or the time has passed.
  ///
  /// - Parameter nanoseconds: The maximum time; `UInt64.max` means no limit.
  /// - Returns: Whether `stop()` was called.
  /// - Throws: The reason why no work was run: another call is running, or this is not the main thread.
  @MainActor
  static func serve(for nanoseconds: UInt64) throws(Refusal) -> Bool {
    guard MainLoopPlatform.mayRunQueue else { throw Refusal(INTERLOCK_ROWS_WRONG_THREAD) }
    if isServing { throw Refusal(INTERLOCK_ROWS_IN_CALLBACK) }
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

  /// Makes the running call of `serve(for:)` return, or the next call if none is running.
  ///
  /// Can be called on any thread.
  static func stop() {
    // A work item wakes the thread that waits in `serve(for:)`. Only the call that sets the flag adds one, so
    // that repeated calls don't fill the main queue while no thread serves it.
    if !shallStop.exchange(true) { DispatchQueue.main.async {} }
  }
}
