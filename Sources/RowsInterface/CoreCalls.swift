#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Tracks which threads are inside a function of a core, where most functions of the interface are refused.
enum CoreCalls {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    // Sound: `key` outlives the call. If the system refuses a key, calls inside a core are not detected, and
    // everything else works.
    _ = unsafe pthread_key_create(&key, nil)
    return key
  }()

  /// How many functions of cores the calling thread is in, one inside the other.
  private static var depth: Int {
    // Sound: the address is only a number and is never dereferenced.
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
