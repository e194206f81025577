import Foundation

/// Runs code at the end of a thread, in the destructor of thread-specific data.
///
/// An ending thread runs the destructors of its data in an unspecified order. The code may therefore run
/// before or after another destructor. As long as destructors store new data, the thread runs them again, for
/// at most four rounds in total.
final class ThreadEnd: Sendable {
  private let key: pthread_key_t

  private final class Start: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  init() {
    var key = pthread_key_t()
    #if canImport(Darwin)
      let code = pthread_key_create(&key) { Unmanaged<Start>.fromOpaque($0).takeRetainedValue().body() }
    #else
      let code = pthread_key_create(&key) { Unmanaged<Start>.fromOpaque($0!).takeRetainedValue().body() }
    #endif
    guard code == 0 else { fatalError("pthread_key_create failed with error \(code)") }
    self.key = key
  }

  deinit {
    pthread_key_delete(key)
  }

  /// Runs `body` when the calling thread ends.
  ///
  /// A second call before the end of the thread would replace `body`. If `body` itself calls this function,
  /// the new body runs in the next round of destructors.
  func whenThisThreadEnds(_ body: @escaping @Sendable () -> Void) {
    pthread_setspecific(key, Unmanaged.passRetained(Start(body)).toOpaque())
  }

  /// Runs `body` in each of the first `rounds` rounds of destructors when the calling thread ends.
  ///
  /// `rounds` must be from 1 to 4, because the system runs at most four rounds.
  func whenThisThreadEnds(rounds: Int, _ body: @escaping @Sendable () -> Void) {
    whenThisThreadEnds {
      body()
      if rounds > 1 { self.whenThisThreadEnds(rounds: rounds - 1, body) }
    }
  }
}
