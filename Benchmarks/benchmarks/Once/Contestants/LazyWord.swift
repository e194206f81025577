internal import LazyInitialization

/// A number in a `Lazy`, used as an object.
extension Lazy<UInt64>: WordHolder {
  var word: UInt64 { value }
}
