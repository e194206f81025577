/// The operation on a property.
enum FloatAccess: String, Sendable {
  case read, write
}
