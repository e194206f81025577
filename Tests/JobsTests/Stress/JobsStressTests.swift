import Dispatch
import Jobs
import Protectors
import TestSupport
import Testing

@Suite(.serialized) struct JobsStressTests {
  private struct Failure: Error, Equatable {
    let number: Int
  }

  @Test("groups from many threads complete once each, after all their jobs")
  func groupsCompleteOnce() async {
    let rounds = StressSize.pick(quick: 100, full: 5_000)
    let completionQueue = DispatchQueue(label: "completion")
    let completed = Protector(0)
    let wrong = Protector(0)
    let lifetimes = Lifetimes()
    // Completions run on the pool, so this test must not block its threads.
    _ = await onAThread {
      race(threads: 6) { index in
        var random = Seed.current.generator(stream: index)
        for _ in 0..<rounds {
          let count = Int.random(in: 0...12, using: &random)
          let failing = Int.random(in: 0...20, using: &random)
          let nests = random.happens(percent: 30)
          let done = Protector(0)
          let results = Unguarded(0)
          withJobs { (jobs: borrowing JobScope<Failure>) in
            for number in 0..<count {
              let object = Tracked(lifetimes, number: number)
              jobs.add { (jobs) throws(Failure) in
                if nests { jobs.add { done.withWriteLock { $0 += 1 } } }
                done.withWriteLock { $0 += 1 }
                if object.number >= failing { throw Failure(number: object.number) }
              }
            }
          } completion: { result in
            completionQueue.async {
              // This variable needs no lock: only completions use it, and they run one at a time on a serial
              // queue.
              results.value += 1
              var isRight = results.value == 1 && done.value == (nests ? 2 : 1) * count
              switch result {
              case .success: isRight = isRight && count <= failing
              case .failure(let error): isRight = isRight && error.number == failing
              }
              if !isRight { wrong.withWriteLock { $0 += 1 } }
              completed.withWriteLock { $0 += 1 }
            }
          }
        }
        completed.withReadLock(waitingUntil: { $0 == 6 * rounds }) { _ in }
      }
    }
    await onAThread { completionQueue.sync {} }
    #expect(completed.value == 6 * rounds)
    #expect(wrong.value == 0, "\(Seed.current)")
    #expect(lifetimes.alive == 0)
  }

  @Test("maps from many threads, nested and failing, are what a loop would have made of them")
  func mapsAreLikeLoops() {
    let rounds = StressSize.pick(quick: 100, full: 10_000)
    let lifetimes = Lifetimes()
    let faults = race(threads: 4) { index -> Int in
      var random = Seed.current.generator(stream: index)
      return (0..<rounds).count { _ in
        let count = Int.random(in: 0...40, using: &random)
        let failing = Int.random(in: 0...60, using: &random)
        do throws(Failure) {
          let objects = try (0..<count).concurrentMap { (number) throws(Failure) in
            if number >= failing { throw Failure(number: number) }
            let inner = (0..<3).concurrentMap { Tracked(lifetimes, number: $0 + number) }
            return inner[number % 3]
          }
          return count > failing || objects.map(\.number) != (0..<count).map { $0 + $0 % 3 }
        } catch {
          return count <= failing || error.number != failing
        }
      }
    }
    #expect(faults.allSatisfy { $0 == 0 }, "\(Seed.current)")
    #expect(lifetimes.alive == 0)
  }
}
