/// What the loops of the suite "property" go over.
enum Numbers {
  /// So many that they stay in the first cache.
  static let count = 4_096
}
