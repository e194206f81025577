/// The numbers that the loops of the suite "property" read.
enum Numbers {
  /// The count of the numbers, which all fit in the first-level data cache.
  static let count = 4_096
}
