internal import LazyInitialization

/// A number in a `Lazy` that is used as an object and not as a property wrapper.
extension Lazy<UInt64>: WordHolder {
  var word: UInt64 { value }
}
