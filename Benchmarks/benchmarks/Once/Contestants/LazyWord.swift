internal import LazyInitialization

/// The object of `Lazy` itself.
extension Lazy<UInt64>: WordHolder {
  var word: UInt64 { value }
}
