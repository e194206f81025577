import Jobs

precondition((1...3).concurrentMap { $0 * $0 } == [1, 4, 9])
await withJobs { jobs in jobs.add {} }
