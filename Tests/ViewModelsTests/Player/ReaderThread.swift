import TestSupport

/// Wraps a noncopyable thread in an object, so that a collection can contain it.
final class ReaderThread {
  private var thread: PlatformThread?

  init(_ body: @escaping @Sendable () -> Void) {
    thread = PlatformThread(body)
  }

  /// Waits until the thread has ended.
  ///
  /// This function must be called only once; a second call traps.
  func join() {
    thread.take()!.join()
  }
}
