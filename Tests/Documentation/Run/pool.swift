// Twelve tasks share two connections.
let pool = ConnectionPool([Connection(), Connection()])
let using = Protector((now: 0, most: 0, total: 0))
try await withThrowingTaskGroup { group in
  for _ in 0..<12 {
    group.addTask {
      try await pool.withConnection { _ in
        using.withWriteLock { use in
          use.now += 1
          use.total += 1
          use.most = max(use.most, use.now)
        }
        await Task.yield()
        using.withWriteLock { $0.now -= 1 }
      }
    }
  }
  try await group.waitForAll()
}
let use = using.value
precondition(use.now == 0 && use.total == 12 && use.most <= 2)

// The end waits for a user, also in a cancelled task, and refuses those that come or wait.
let isLent = Protector(false)
let mayReturn = Protector(false)
func hold(_ pool: ConnectionPool) async throws {
  try await pool.withConnection { _ in
    isLent.withWriteLock { $0 = true }
    try await mayReturn.withReadLock(waitingUntil: { $0 }) { _ in }
  }
}
func close() async throws {
  let small = ConnectionPool([Connection()])
  async let user: Void = hold(small)
  try await isLent.withReadLock(waitingUntil: { $0 }) { _ in }
  async let waiting = greet(small)
  let isBack = Protector(false)
  let closing = Task {
    await small.close()
    precondition(mayReturn.value)
    isBack.withWriteLock { $0 = true }
  }
  closing.cancel()
  let refused = await waiting
  precondition(refused == "the server ends")
  precondition(!isBack.value)
  mayReturn.withWriteLock { $0 = true }
  try await user
  await closing.value
  precondition(isBack.value)
}

try await close()
