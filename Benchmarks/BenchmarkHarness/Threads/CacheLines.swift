/// A memory layout in which unrelated data does not share a cache line.
enum CacheLines {
  /// The alignment in bytes.
  ///
  /// Some processors have cache lines of 128 bytes, and some fetch lines of 64 bytes in pairs.
  static let alignment = 128

  /// The least nonzero multiple of `alignment` that holds `size` bytes.
  static func size(holding size: Int) -> Int {
    max(1, (size + alignment - 1) / alignment) * alignment
  }
}
