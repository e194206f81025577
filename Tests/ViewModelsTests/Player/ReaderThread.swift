import TestSupport

/// A thread that can be kept in a collection.
final class ReaderThread {
  private var thread: PlatformThread?

  init(_ body: @escaping @Sendable () -> Void) {
    thread = PlatformThread(body)
  }

  /// Waits until the thread has ended; once.
  func join() {
    thread.take()!.join()
  }
}
