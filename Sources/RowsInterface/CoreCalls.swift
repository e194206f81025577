#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Tracks which threads are inside a function of a core (see `ForeignRows`).
///
/// Most functions of `interlock_rows.h` refuse calls from inside a core's function.
enum CoreCalls {
  /// The key of the thread-local variable that stores `depth`; `nil` if the system has no more keys.
  ///
  /// Without a key, `isInside` is always false, so no function refuses a call from inside a function of a
  /// core (see `ForeignRows`).
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    // No test reaches `nil`, because the system would have to run out of keys.
    return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// The number of functions of cores (see `ForeignRows`) that the calling thread is inside; above 1 if such
  /// calls are nested.
  private static var depth: Int {
    // Sound: the pointer that is stored for the thread is the number itself, and is never dereferenced.
    get { key.map { unsafe Int(bitPattern: pthread_getspecific($0)) } ?? 0 }
    set { if let key { _ = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) } }
  }

  static var isInside: Bool { depth > 0 }

  /// Runs `body`, which calls a function of a core (see `ForeignRows`); `isInside` is true on this thread
  /// meanwhile.
  static func inside<R>(_ body: () -> R) -> R {
    depth += 1
    defer { depth -= 1 }
    return body()
  }
}
