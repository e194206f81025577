/// A memory layout in which unrelated data does not share a cache line.
enum CacheLines {
  /// The alignment in bytes: two cache lines of 64 bytes each, because processors fetch lines in pairs.
  static let alignment = 128

  /// The least nonzero multiple of `alignment` that holds `size` bytes.
  static func size(holding size: Int) -> Int {
    max(1, (size + alignment - 1) / alignment) * alignment
  }
}
