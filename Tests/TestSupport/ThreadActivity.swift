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
/// It costs a load of a thread-local and a relaxed store. It orders no memory, so it does not hide a race.
package func reportActivity(_ activity: StaticString) {
  ThreadActivity.current?.set(activity)
}

/// Records what one thread is doing.
final class ThreadActivity: Sendable {
  /// The index of the thread in its race.
  let index: Int

  /// The address of the activity's text, which is a static string.
  ///
  /// Static strings end in a zero byte and live for ever.
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

  /// The calling thread's activity.
  ///
  /// The thread-local variable does not retain the activity. The race's `Watch` keeps it alive while the
  /// thread takes part in the race.
  static var current: ThreadActivity? {
    get {
      pthread_getspecific(key).map { Unmanaged<ThreadActivity>.fromOpaque($0).takeUnretainedValue() }
    }
    set {
      pthread_setspecific(key, newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }
  }
}
