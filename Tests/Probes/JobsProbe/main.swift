import Jobs

// A client of the product Jobs alone: it shows that the product compiles and loads by itself.

let squares = (1...5).concurrentMap { $0 * $0 }
precondition(squares == [1, 4, 9, 16, 25])
var sum = 0
await withJobs { jobs in
  sum = squares.reduce(0, +)
  jobs.add {}
}
precondition(sum == 55)
precondition(withThreads(2) { $0 + 1 } == [1, 2])

print("Jobs: \(squares)")
