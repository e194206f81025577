import AsyncLocks

struct Image: Sendable {}

let name = "photo"

func download(_ name: String) async throws -> Image { Image() }
