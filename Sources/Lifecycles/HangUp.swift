#if canImport(Darwin)
  // Nothing to import: on Darwin the kernel reports events after a hang-up until all data has been read.
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  #error("not ported to this platform")
#endif

/// Detects that the other end of a descriptor has hung up, and how much data remains to be read.
///
/// On Linux libdispatch stops watching a descriptor at the hang-up (`EPOLLHUP`). It reports the remaining
/// bytes once or twice, and then 0 bytes, which looks like the end of the data. So a source checks the
/// descriptor itself.
struct HangUp: Sendable {
  let descriptor: Int32

  #if canImport(Darwin)
    /// Always `nil`: on Darwin libdispatch keeps watching a descriptor after a hang-up, so no check is
    /// needed.
    func byteCount() -> UInt? { nil }

    func remainingByteCount() -> UInt { 0 }
  #else
    /// How many bytes remain to be read after a hang-up; `nil` if there was no hang-up.
    ///
    /// - Complexity: O(1): one system call, and a second one after a hang-up.
    func byteCount() -> UInt? {
      var look = pollfd(fd: descriptor, events: 0, revents: 0)
      // Sound: `poll` gets one entry, a local variable that outlives the call.
      guard unsafe poll(&look, 1, 0) == 1, look.revents & Int16(POLLHUP) != 0 else { return nil }
      return remainingByteCount()
    }

    /// How many bytes remain to be read.
    func remainingByteCount() -> UInt {
      var count: Int32 = 0
      // Sound: `FIONREAD` writes a C `int`, and `count` has that size. The call fails for a kind of
      // descriptor that keeps no count of unread bytes.
      guard unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 else { return 0 }
      return UInt(max(0, count))
    }
  #endif
}
