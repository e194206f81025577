/// The operation on the number.
enum CountAccess: String, Sendable, CaseIterable {
  case read, increment
}
