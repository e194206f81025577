#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif
internal import Synchronization

/// Records what the calling thread does from now on, for the watchdog's report.
///
/// Does nothing outside a race. The relaxed store orders no other memory accesses, so it does not hide a data
/// race from ThreadSanitizer.
package func reportActivity(_ activity: StaticString) {
  ThreadActivity.current?.set(activity)
}

/// Records what one thread is doing.
final class ThreadActivity: Sendable {
  /// The index of the thread in its race.
  let index: Int

  /// The address of the activity's text, which is a static string.
  ///
  /// The pointer stays valid: a static string ends in a zero byte and is never deallocated.
  private let address: Atomic<UInt>

  init(index: Int) {
    self.index = index
    address = Atomic(Self.address(of: "running"))
  }

  func set(_ activity: StaticString) {
    address.store(Self.address(of: activity), ordering: .relaxed)
  }

  var text: String {
    let start = UnsafePointer<CChar>(bitPattern: address.load(ordering: .relaxed))
    return start.map { String(cString: $0) } ?? ""
  }

  private static func address(of text: StaticString) -> UInt {
    UInt(bitPattern: text.utf8Start)
  }

  // MARK: The calling thread's

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The calling thread's activity; `nil` outside a race.
  ///
  /// The thread-local variable does not retain the activity. The race's `Watch` keeps the activity alive
  /// while the thread takes part in the race.
  static var current: ThreadActivity? {
    get {
      pthread_getspecific(key).map { Unmanaged<ThreadActivity>.fromOpaque($0).takeUnretainedValue() }
    }
    set {
      pthread_setspecific(key, newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }
  }
}
