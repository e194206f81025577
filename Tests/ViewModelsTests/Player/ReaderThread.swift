import TestSupport

/// A noncopyable thread as an object, so that it can be in a collection.
final class ReaderThread {
  private var thread: PlatformThread?

  init(_ body: @escaping @Sendable () -> Void) {
    thread = PlatformThread(body)
  }

  /// Waits until the thread has ended.
  ///
  /// This function must be called only once.
  func join() {
    thread.take()!.join()
  }
}
