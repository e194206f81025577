internal import LazyInitialization

/// A number in a `OnceCell`.
final class OnceCellWord: WordHolder {
  private let cell = OnceCell<UInt64>()

  var word: UInt64 {
    cell.withValue(orInitialize: { UInt64(CommandLine.arguments.count) }) { $0 }
  }
}
