/// The numbers that the loops of the suite "property" read.
enum Numbers {
  /// So many that they stay in the first cache.
  static let count = 4_096
}
