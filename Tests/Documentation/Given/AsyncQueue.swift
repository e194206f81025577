import Jobs

struct Document: Sendable {}
struct Store: Sendable {
  func save(_ document: Document) async throws {}
}
let store = Store()
