#if canImport(Darwin)
  // The kernel goes on with its events until everything has been read.
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  #error("not ported to this platform")
#endif

/// Whether the other side of a descriptor has hung up, and what remains to be read.
///
/// On Linux libdispatch stops watching a descriptor at the hang-up (`EPOLLHUP`): of the bytes that remain it tells
/// once or twice, and then of none. It also reports 0 bytes then, which is what the end looks like. So a source looks itself.
struct HangUp: Sendable {
  let descriptor: Int32

  #if canImport(Darwin)
    /// - Returns: Always `nil`: libdispatch keeps watching.
    func byteCount() -> UInt? { nil }

    func remainingByteCount() -> UInt { 0 }
  #else
    /// How many bytes remain to be read after the hang-up; `nil` where there was none.
    ///
    /// - Complexity: O(1): a system call, and another one after a hang-up.
    func byteCount() -> UInt? {
      var look = pollfd(fd: descriptor, events: 0, revents: 0)
      // Sound: one entry, which lives until the call ends.
      guard unsafe poll(&look, 1, 0) == 1, look.revents & Int16(POLLHUP) != 0 else { return nil }
      return remainingByteCount()
    }

    /// How many bytes remain to be read.
    func remainingByteCount() -> UInt {
      var count: Int32 = 0
      // Sound: the request writes an `int`. A descriptor that does not know it has nothing that could be waited for.
      guard unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 else { return 0 }
      return UInt(max(0, count))
    }
  #endif
}
