#if os(Linux)
  internal import CTestSupport

  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Musl
  #endif

  /// Reads the memory use of this process from `/proc/self/statm`.
  package enum ResidentMemory {
    /// The resident memory, in bytes, without what the allocator keeps for later.
    package static var bytes: Int {
      test_release_free_memory()
      return pages(at: 1) * Int(getpagesize())
    }

    /// The size of the address space in use, in bytes.
    package static var addressSpace: Int { pages(at: 0) * Int(getpagesize()) }

    /// The field of `/proc/self/statm` with the zero-based number `index`; its unit is pages.
    private static func pages(at index: Int) -> Int {
      let file = open("/proc/self/statm", O_RDONLY)
      defer { close(file) }
      let text = String(unsafeUninitializedCapacity: 256) { buffer in
        max(0, read(file, buffer.baseAddress, 256))
      }
      return Int(text.split(separator: " ")[index])!
    }
  }
#endif
