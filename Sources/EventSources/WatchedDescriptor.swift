internal import CInterlock
internal import Dispatch
internal import InterlockCore

#if canImport(Darwin)
  // Nothing to import: on Darwin libdispatch watches the descriptor itself.
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  #error("not ported to this platform")
#endif

/// The descriptor of a read or write source, and the descriptor that libdispatch watches in its place.
///
/// On Linux libdispatch handles a hang-up (`EPOLLHUP`) wrongly. It frees its record of the descriptor on the
/// source's queue, although its own thread may still be using that record. It also stops reporting before
/// all data has been read. So on Linux libdispatch watches an epoll instance that contains only the
/// descriptor. The instance can be read whenever the descriptor is ready or has hung up, and it never hangs
/// up itself.
final class WatchedDescriptor: Sendable {
  enum Direction { case reading, writing }

  private let descriptor: Int32
  private let direction: Direction

  #if canImport(Darwin)
    init(_ descriptor: Int32, for direction: Direction, label: StaticString) {
      self.descriptor = descriptor
      self.direction = direction
    }

    func makeSource(_ queue: DispatchQueue) -> any DispatchSourceProtocol {
      Self.makeSource(descriptor, direction, queue)
    }

    /// Always `nil`: libdispatch watches the descriptor itself, so the data of its event is correct.
    func state() -> State? { nil }

    func stopWatching() {}

    /// Always `false`: libdispatch does not tell.
    var isOfAnotherFile: Bool { false }
  #else
    /// The epoll instance, or the object in its place; `nil` if the descriptor can't be watched, or is not open.
    ///
    /// If it is `nil`, libdispatch watches the descriptor itself.
    private let instance: Int32?

    /// Makes the epoll instance.
    ///
    /// Traps if the process has no descriptor left for it, or the system has no memory left.
    init(_ descriptor: Int32, for direction: Direction, label: StaticString) {
      self.descriptor = descriptor
      self.direction = direction
      let instance = interlock_epoll_of(descriptor, direction == .writing)
      if instance == -2 {
        misuse(
          "ActivatedSource \"\(label)\"",
          "the system has no descriptor or memory left to watch its descriptor",
          "close descriptors that are not needed, or raise the limit of open files")
      }
      self.instance = instance >= 0 ? instance : nil
    }

    // Closing the epoll instance is safe: libdispatch stops watching it before the last reference to this
    // object is released.
    deinit {
      if let instance { close(instance) }
    }

    func makeSource(_ queue: DispatchQueue) -> any DispatchSourceProtocol {
      // An epoll instance becomes readable when its descriptor is ready, even if the descriptor is to be
      // written. So it always needs a read source.
      if let instance { return Self.makeSource(instance, .reading, queue) }
      return Self.makeSource(descriptor, direction, queue)
    }

    /// The current state of the descriptor.
    ///
    /// It is `nil` if libdispatch watches the descriptor itself; then the data of libdispatch's event is
    /// correct.
    ///
    /// - Complexity: O(1): two system calls where bytes are counted, and up to five elsewhere.
    func state() -> State? {
      guard instance != nil else { return nil }
      var entry = pollfd(
        fd: descriptor, events: Int16(direction == .reading ? POLLIN : POLLOUT), revents: 0)
      // Sound: `poll` gets one entry, a local variable that outlives the call.
      guard unsafe poll(&entry, 1, 0) == 1 else { return .nothing }
      if direction == .writing {
        return .ready(byteCount: UInt(interlock_free_send_buffer(descriptor)))
      }
      let hasHungUp = entry.revents & Int16(POLLHUP) != 0
      let count = readableBytes
      // A hang-up ends the events when all bytes are read. Where there is something else to read than bytes that
      // are counted, an error of the socket for instance, report 1, as libdispatch does.
      if hasHungUp { return count > 0 ? .ready(byteCount: UInt(count)) : .ended }
      return .ready(byteCount: count < 0 || entry.revents & Int16(POLLIN) == 0 ? 1 : UInt(count))
    }

    /// How many bytes can be read; -1 if this kind of descriptor does not count its bytes.
    private var readableBytes: Int {
      // Sound, for each `unsafe`: the functions write local variables of the types that they expect.
      var count: Int32 = 0
      let isCounted = unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0
      if count > 0 { return Int(count) }
      // `FIONREAD` counts in an `int`, and by a size that the files of /proc don't have.
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        return isCounted ? 0 : -1
      }
      let position = lseek(descriptor, 0, SEEK_CUR)
      var byte: UInt8 = 0
      return unsafe pread(descriptor, &byte, 1, position) == 0 ? 0 : max(1, Int(status.st_size - position))
    }

    /// Makes libdispatch report no more events.
    ///
    /// Call this when the other end has hung up and all data has been read. Otherwise libdispatch would
    /// report the hang-up over and over.
    func stopWatching() {
      if let instance { _ = interlock_epoll_remove(instance, descriptor) }
    }

    /// Whether the descriptor was closed, and is now that of another file.
    ///
    /// Must be asked at the end, and not after `stopWatching()`.
    var isOfAnotherFile: Bool {
      guard let instance else { return false }
      return !interlock_epoll_remove(instance, descriptor)
    }
  #endif

  private static func makeSource(
    _ descriptor: Int32, _ direction: Direction, _ queue: DispatchQueue
  ) -> any DispatchSourceProtocol {
    switch direction {
    case .reading: DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    case .writing: DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
    }
  }

  enum State: Equatable {
    /// There is nothing to read, or no room to write, although libdispatch has reported an event.
    case nothing
    /// The descriptor can be read or written, or is at its end.
    ///
    /// At the end, a read source has 0 bytes, and a write source still has at least 1.
    case ready(byteCount: UInt)
    /// The other end has hung up, and all data has been read. The caller must call `stopWatching()`.
    case ended
  }
}
