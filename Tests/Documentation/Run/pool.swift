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
