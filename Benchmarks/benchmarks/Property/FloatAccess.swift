/// What is done with a property.
enum FloatAccess: String, Sendable {
  case read, write
}
