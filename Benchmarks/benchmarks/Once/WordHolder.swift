/// Something that has a number ready: what the contestants of the suite "once" are to the loop.
///
/// Implementations are final, and the loop is compiled once for each of them.
protocol WordHolder: AnyObject, Sendable {
  var word: UInt64 { get }
}
