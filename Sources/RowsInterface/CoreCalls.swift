#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Knows which threads are inside a function of a core, where little of the interface may be called.
enum CoreCalls {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    // Sound: `key` outlives the call. Without a key nobody is found inside, and everything else works.
    _ = unsafe pthread_key_create(&key, nil)
    return key
  }()

  /// How many such functions the calling thread is in.
  private static var depth: Int {
    // Sound: the address is a number, which leads nowhere and is not followed.
    get { unsafe Int(bitPattern: pthread_getspecific(key)) }
    set { _ = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
  }

  static var isInside: Bool { depth > 0 }

  /// Runs `body`, which calls a function of a core.
  static func inside<R>(_ body: () -> R) -> R {
    depth += 1
    defer { depth -= 1 }
    return body()
  }
}
