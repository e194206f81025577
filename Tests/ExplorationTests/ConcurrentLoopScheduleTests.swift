#if Exploration
  import Exploration
  import InterlockCore
  import Jobs
  import Protectors
  import Testing

  /// Explores loops whose bodies are child tasks.
  @Suite(.serialized) struct ConcurrentLoopScheduleTests {
    private struct Refused: Error { var number: Int }

    /// The numbers below a count, as an asynchronous sequence that suspends.
    private struct Numbers: AsyncSequence, Sendable {
      let count: Int

      struct Iterator: AsyncIteratorProtocol {
        var next = 0
        let count: Int

        mutating func next() async -> Int? {
          await Task.yield()
          guard next < count else { return nil }
          next += 1
          return next - 1
        }
      }

      func makeAsyncIterator() -> Iterator { Iterator(count: count) }
    }

    /// The threads of one call run side by side, so both may read the number before the other one has changed it.
    @Test func threadsOfOneCallAreExplored() throws {
      let numbers = try results("withThreads") { run in
        let number = ExclusiveProtector(0)
        let indices = withThreads(2) { index in
          let old = number.withLock { $0 }
          number.withLock { $0 = old + 1 }
          return index
        }
        run.expect(indices == [0, 1], "the results are in order")
        return number.withLock { $0 }
      }
      #expect(numbers == [1, 2])
    }

    /// The destruction of joined threads waits for them, and detached ones go on.
    @Test(arguments: [false, true]) func threadsAreJoinedOrDetached(isDetached: Bool) throws {
      let numbers = try results("JoinedThreads, detached: \(isDetached)") { run in
        let number = ExclusiveProtector(0)
        let threads = JoinedThreads(1) { _ in number.withLock { $0 = 1 } }
        _ = number.withLock { $0 }
        if isDetached { threads.detach() } else { threads.join() }
        return number.withLock { $0 }
      }
      #expect(numbers == (isDetached ? [0, 1] : [1]))
    }

    @Test(arguments: [1, 2]) func aMapIsInOrder(limit: Int) throws {
      try check("concurrentMap with await, \(limit) at a time", .random(executions: 2_000)) { run in
        let section = LimitedSection(run, limit: limit)
        let task = run.task {
          var seen: [Int] = []
          let results = await (0..<3).concurrentMap(
            limit: limit, onResult: { index, _ in seen.append(index) }
          ) {
            await section.body()
            return $0
          }
          return (results, seen)
        }
        let (results, seen) = task.join()
        run.expect(results == [0, 1, 2], "results are in order")
        run.expect(seen.sorted() == [0, 1, 2] && (limit > 1 || seen == [0, 1, 2]), "each result comes once")
      }
    }

    @Test(arguments: [1, 2]) func aMapOfAnAsynchronousSequenceIsInOrder(limit: Int) throws {
      let name = "concurrentMap of an asynchronous sequence, \(limit) at a time"
      try check(name, .random(executions: 2_000)) { run in
        let section = LimitedSection(run, limit: limit)
        let task = run.task {
          try await Numbers(count: 3).concurrentMap(limit: limit) {
            await section.body()
            return $0
          }
        }
        run.expect(task.join() == [0, 1, 2], "results are in order")
      }
    }

    /// One of two calls throws: the other one is cancelled or has ended, and its error is thrown.
    @Test(arguments: [false, true]) func anErrorEndsTheLoop(isAsynchronous: Bool) throws {
      let name = "concurrentForEach, an error\(isAsynchronous ? ", asynchronous sequence" : "")"
      let outcomes = try results(name, .random(executions: 2_000)) { run in
        let begun = ExclusiveProtector(0)
        let task = run.task {
          let body: @Sendable (Int) async throws -> Void = { number in
            begun.withLock { $0 += 1 }
            if number == 1 { throw Refused(number: number) }
            await Task.yield()
          }
          do {
            if isAsynchronous {
              try await Numbers(count: 4).concurrentForEach(limit: 2, body)
            } else {
              try await (0..<4).concurrentForEach(limit: 2, body)
            }
            return false
          } catch { return (error as? Refused)?.number == 1 }
        }
        run.expect(task.join(), "the error is thrown")
        let count = begun.withLock { $0 }
        run.expect(count >= 1 && count <= 4)
        return count
      }
      #expect(outcomes.contains(2))
    }
  }
#endif
