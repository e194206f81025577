#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A place in the end of threads: the destructor of thread-specific data of its own.
///
/// The system goes through the data of an ending thread in the order in which the keys were made, destroys what it finds,
/// and begins again as long as it found something, four times at most. So a place that is made before the records of
/// readers have theirs comes before these are freed, and one that is made later comes after it.
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

  /// Runs `body` when the calling thread ends; called in such a body, the next time round.
  func whenThisThreadEnds(_ body: @escaping @Sendable () -> Void) {
    pthread_setspecific(key, Unmanaged.passRetained(Start(body)).toOpaque())
  }

  /// Runs `body` in that many rounds, one after the other.
  func whenThisThreadEnds(rounds: Int, _ body: @escaping @Sendable () -> Void) {
    whenThisThreadEnds {
      body()
      if rounds > 1 { self.whenThisThreadEnds(rounds: rounds - 1, body) }
    }
  }
}
