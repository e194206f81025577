/// The operation on a number that a benchmark of the suite "atomic properties" measures.
enum CountAccess: String, Sendable, CaseIterable {
  case read, increment
}
