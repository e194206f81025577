import AsyncLocks

struct Session: Sendable {
  mutating func renew() async throws {}
}

struct Image: Sendable {}

func download(_ name: String) async throws -> Image { Image() }
