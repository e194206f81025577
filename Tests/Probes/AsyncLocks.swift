import AsyncLocks

let count = AsyncMutex(0)
let limit = AsyncSemaphore(permits: 2)
await withTaskGroup { group in
  for _ in 0..<4 {
    group.addTask {
      await limit.withPermit { await count.withLock { $0 += 1 } }
    }
  }
}
let sum = await count.withLock { $0 }
precondition(sum == 4)

print("AsyncLocks: \(sum)")
