/// What is done with the number.
enum CountAccess: String, Sendable, CaseIterable {
  case read, increment
}
