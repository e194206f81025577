// Twelve tasks want two images, and want them again.
let cache = FreshImages()
for _ in 0..<2 {
  try await withThrowingTaskGroup { group in
    for number in 0..<12 {
      group.addTask { _ = try await cache.image("image \(number % 2)") }
    }
    try await group.waitForAll()
  }
}
precondition(loads.value == 2)
