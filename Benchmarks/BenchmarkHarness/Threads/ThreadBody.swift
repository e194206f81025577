/// Carries a closure through the C function that a thread starts in.
final class ThreadBody: Sendable {
  private let body: @Sendable () -> Void

  private init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  /// An argument for the thread's start function, which owns it from then on.
  static func retained(_ body: @escaping @Sendable () -> Void) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(ThreadBody(body)).toOpaque()
  }

  /// The thread's start function.
  static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body()
    return nil
  }
}
