#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Tracks which threads are inside a function of a core (see `ForeignRows`).
///
/// Most functions of `interlock_rows.h` refuse to be called from there.
enum CoreCalls {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    // Sound: `key` outlives the call. Untested: the system would have to run out of keys.
    _ = unsafe pthread_key_create(&key, nil)
    return key
  }()

  /// The number of core functions that the calling thread is inside; above 1 if such calls are nested.
  private static var depth: Int {
    // Sound: the pointer that is stored for the thread is the number itself, and is never dereferenced.
    get { unsafe Int(bitPattern: pthread_getspecific(key)) }
    set { _ = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
  }

  static var isInside: Bool { depth > 0 }

  /// Runs `body`, which calls a function of a core; `isInside` is true on this thread meanwhile.
  static func inside<R>(_ body: () -> R) -> R {
    depth += 1
    defer { depth -= 1 }
    return body()
  }
}
