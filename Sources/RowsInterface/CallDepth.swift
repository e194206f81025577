#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Tracks which threads are inside calls of one kind, such as the functions of cores.
final class CallDepth: Sendable {
  /// The key of the thread-local variable that stores `depth`; `nil` if the system has no more keys.
  ///
  /// Without a key, `isInside` is always false, so nested calls are not refused.
  private let key: pthread_key_t? = {
    var key = pthread_key_t()
    // No test reaches `nil`, because the system would have to run out of keys.
    return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// The number of tracked calls that the calling thread is inside; above 1 if they are nested.
  private var depth: Int {
    // Sound: the pointer that is stored for the thread is the number itself, and is never dereferenced.
    get { key.map { unsafe Int(bitPattern: pthread_getspecific($0)) } ?? 0 }
    set { if let key { _ = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) } }
  }

  var isInside: Bool { depth > 0 }

  /// Runs `body`, during which `isInside` is true on the calling thread, and returns the result of `body`.
  func inside<R>(_ body: () -> R) -> R {
    depth += 1
    defer { depth -= 1 }
    return body()
  }
}

/// Tracks which threads are inside a function of a core.
///
/// Most functions of `interlock_rows.h` refuse calls from inside a core's function.
let coreCalls = CallDepth()

/// Tracks which threads are inside a visitor of a snapshot.
///
/// A visitor must not serve the main queue, so `interlock_rows_serve` refuses calls on these threads.
let visitorCalls = CallDepth()

/// Tracks which threads are inside the function `destroy_user` of an observer.
///
/// On these threads, `interlock_rows_serve` is refused, and `ForeignObserver.end()` does not wait for other
/// threads.
let destroyCalls = CallDepth()
