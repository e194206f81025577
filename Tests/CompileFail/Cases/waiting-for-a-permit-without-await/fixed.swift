import AsyncLocks

func load(_ downloads: AsyncSemaphore, _ name: String) async -> String {
  await downloads.withPermit { await download(name) }
}

func download(_ name: String) async -> String { name }
