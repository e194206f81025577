internal import CInterlock

/// The signal of a source, whose action libdispatch replaces on Linux alone.
///
/// The functions are called in this order, `didWatch` perhaps never.
struct WatchedSignal: Sendable {
  let number: Int32

  #if canImport(Darwin)
    func willWatch() {}
    func didWatch() {}
    func endWatching() {}
    func didEndWatching() {}
  #else
    func willWatch() { interlock_will_watch_signal(number) }
    func didWatch() { interlock_did_watch_signal(number) }
    func endWatching() { interlock_end_watching_signal(number) }
    func didEndWatching() { interlock_did_end_watching_signal(number) }
  #endif
}
