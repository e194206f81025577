import LazyInitialization

struct Image: Sendable {}
func download(_ name: String) async throws -> Image { Image() }
