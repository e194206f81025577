#if os(Linux)
  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Musl
  #endif

  /// The memory of this process.
  package enum ResidentMemory {
    /// What is in the machine's memory, in bytes: the second number in `/proc/self/statm`.
    package static var bytes: Int {
      let file = open("/proc/self/statm", O_RDONLY)
      defer { close(file) }
      let text = String(unsafeUninitializedCapacity: 256) { buffer in
        max(0, read(file, buffer.baseAddress, 256))
      }
      return Int(text.split(separator: " ")[1])! * Int(getpagesize())
    }
  }
#endif
