/// The operation on a property that a benchmark of the suite "property" measures.
enum FloatAccess: String, Sendable {
  case read, write
}
