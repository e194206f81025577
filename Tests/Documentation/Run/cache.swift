// Twelve tasks want two images.
let cache = Images()
try await withThrowingTaskGroup { group in
  for number in 0..<12 {
    group.addTask { _ = try await cache.image("image \(number % 2)") }
  }
  try await group.waitForAll()
}
precondition(downloads.value == 2)
