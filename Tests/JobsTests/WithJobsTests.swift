import Dispatch
#if canImport(Glibc)
  import Glibc
#endif
import Jobs
import InterlockCore
import Protectors
import TestSupport
import Testing

@Suite struct WithJobsTests {
  private struct Failure: Error, Equatable {
    let number: Int
  }

  private actor Owner {
    private(set) var completions = 0

    func complete() { completions += 1 }
  }

  /// Runs a group of jobs and waits for its completion, which runs on a new queue.
  ///
  /// Returns the result that each call of the completion was given; one call is expected.
  private func results<E: Error>(
    throwing failure: E.Type, _ body: (borrowing JobScope<E>) -> Void
  ) async -> [Result<Void, E>] {
    let queue = DispatchQueue(label: "completion")
    let all = Protector<[Result<Void, E>]>([])
    withJobs(body) { (result: Result<Void, E>) in
      queue.async { all.withWriteLock { $0.append(result) } }
    }
    await onAThread { all.withReadLock(waitingUntil: { !$0.isEmpty }) { _ in } }
    // A second completion would be an error. Wait for those in the queue, so that the test finds it.
    await onAThread { queue.sync {} }
    return all.value
  }

  private func failure<E: Error>(_ results: [Result<Void, E>]) -> E? {
    guard results.count == 1, case .failure(let error) = results[0] else { return nil }
    return error
  }

  #if os(Linux)
    /// A process inherits the signal mask of the thread that starts it, and threads of the pool block all signals.
    @Test func signalsReachAProcessThatAJobOfATaskStarts() async {
      let statuses = Protector<[Int32]>([])
      await withJobs { jobs in
        jobs.add { statuses.withWriteLock { $0.append(Self.statusOfTerminatedShell()) } }
      }
      withThreads(1) { _ in statuses.withWriteLock { $0.append(Self.statusOfTerminatedShell()) } }
      #expect(statuses.value == [SIGTERM, SIGTERM])
    }

    private static func statusOfTerminatedShell() -> Int32 {
      let words = ["sh", "-c", "kill -TERM $$; exit 3"]
      var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
      defer { for argument in arguments { free(argument) } }
      var child = pid_t()
      var status: Int32 = -1
      if posix_spawn(&child, "/bin/sh", nil, nil, &arguments, nil) == 0 { waitpid(child, &status, 0) }
      return status
    }
  #endif

  @TaskLocal private static var name = "none"

  /// Where no job is left at the end of the scope, too, and the completion follows on the task's thread.
  @Test(arguments: [0, 1]) func neitherJobsNorCompletionBelongToATask(jobCount: Int) async {
    let seen = Protector<[String]>([])
    let ended = Signal()
    let look: @Sendable () -> Void = { seen.withWriteLock { $0.append("\(Self.name) \(Task.isCancelled)") } }
    await inCancelledTask {
      Self.$name.withValue("caller") {
        withJobs { jobs in
          for _ in 0..<jobCount { jobs.add { look() } }
        } completion: {
          look()
          ended.send()
        }
      }
    }
    await onAThread { ended.wait() }
    #expect(seen.value == Array(repeating: "none false", count: jobCount + 1))
  }

  // MARK: Completion

  @Test("the completion runs once, after all jobs")
  func theCompletionRunsAfterTheJobs() async {
    let count = Unguarded(0)
    let guarded = Protector(0)
    let completions = Protector(0)
    withJobs { jobs in
      for _ in 0..<100 {
        jobs.add { guarded.withWriteLock { $0 += 1 } }
      }
    } completion: {
      // This variable needs no lock, because only the completion writes it, and the test reads it afterwards.
      count.value = guarded.value
      completions.withWriteLock { $0 += 1 }
    }
    await onAThread { completions.withReadLock(waitingUntil: { $0 > 0 }) { _ in } }
    #expect(completions.value == 1)
    #expect(count.value == 100)
  }

  @Test("a completion runs on the actor that it belongs to")
  func theCompletionRunsOnItsActor() async {
    await withCheckedContinuation { continuation in
      withJobs { jobs in
        jobs.add {}
      } completion: { @MainActor in
        MainActor.preconditionIsolated()
        continuation.resume()
      }
    }
    let owner = Owner()
    await run(on: owner)
    let completions = await owner.completions
    #expect(completions == 1)
  }

  @MainActor @Test func theCompletionIsDestroyedOnItsActor() async {
    for _ in 0..<100 {
      await withCheckedContinuation { continuation in
        let object = MainActorOnly()
        withJobs {
          $0.add {}
        } completion: {
          withExtendedLifetime(object) { continuation.resume() }
        }
      }
      await withCheckedContinuation { continuation in
        let object = MainActorOnly()
        withJobs { jobs in
          jobs.add { () throws(Failure) in }
        } completion: { (_: Result<Void, Failure>) in
          withExtendedLifetime(object) { continuation.resume() }
        }
      }
    }
    #expect(MainActorOnly.strays == 0)
  }

  /// Runs a group whose completion is isolated to the actor `owner`, and waits for the completion.
  private func run(on owner: isolated Owner) async {
    await withCheckedContinuation { continuation in
      withJobs { (jobs: borrowing JobScope<Failure>) in
        jobs.add { () throws(Failure) in throw Failure(number: 1) }
      } completion: { result in
        // The closure is isolated to the actor, so this call is synchronous.
        owner.complete()
        if case .failure(Failure(number: 1)) = result { continuation.resume() }
      }
    }
  }

  @Test("jobs are released before the completion runs")
  func jobsAreReleasedBeforeTheCompletion() async {
    let lifetimes = Lifetimes()
    let alive = Protector<Int?>(nil)
    withJobs { jobs in
      for number in 0..<20 {
        let object = Tracked(lifetimes, number: number)
        jobs.add { _ = object.number }
      }
    } completion: {
      let count = lifetimes.alive
      alive.withWriteLock { $0 = count }
    }
    await onAThread { alive.withReadLock(waitingUntil: { $0 != nil }) { _ in } }
    #expect(alive.value == 0)
    #expect(lifetimes.made == 20)
  }

  // MARK: Jobs

  @Test(
    "as many jobs run at a time as the caller says, or at most as there are processors",
    arguments: [nil, 1, 2, 3])
  func jobsAreLimited(limit: Int?) async {
    let running = Protector(0)
    let peak = Protector(0)
    // The first jobs wait for one another, so as many jobs as the limit must run at the same time. While
    // jobs are blocked, the queue runs more threads than there are processors.
    let parties = limit ?? min(2, Processors.count)
    let meeting = MeetingPoint(parties: parties)
    await withJobs(maxConcurrentJobs: limit) { jobs in
      for number in 0..<50 {
        jobs.add {
          let now = running.withWriteLock { running in
            running += 1
            return running
          }
          peak.withWriteLock { $0 = max($0, now) }
          if number < parties { meeting.meet() } else { PlatformThread.yield() }
          running.withWriteLock { $0 -= 1 }
        }
      }
    }
    #expect((parties...(limit ?? Processors.count)).contains(peak.value))
  }

  /// Each job is a work item of its own, so the queue must run other work between jobs.
  @Test func jobsLeaveTheQueueToOthersInBetween() async {
    let queue = DispatchQueue(label: "serial")
    let order = Protector<[String]>([])
    let all = Processors.count + 3
    queue.suspend()
    withJobs(on: queue) { jobs in
      for number in 1...all {
        jobs.add {
          order.withWriteLock { $0.append("\(number)") }
          if number == 1 { queue.async { order.withWriteLock { $0.append("other") } } }
        }
      }
    } completion: {
      queue.async { order.withWriteLock { $0.append("done") } }
    }
    queue.resume()
    await onAThread { order.withReadLock(waitingUntil: { $0.last == "done" }) { _ in } }
    var expected = (1...all).map { "\($0)" } + ["done"]
    expected.insert("other", at: Processors.count)
    #expect(order.value == expected)
  }

  /// A job need not be `@Sendable`: it may own values that are not `Sendable`.
  @Test func aJobOwnsWhatItCaptures() async {
    final class Buffer {
      var bytes: [UInt8] = []
    }
    let size = Protector(0)
    let results = await results(throwing: Never.self) { jobs in
      let buffer = Buffer()
      buffer.bytes = [1, 2]
      jobs.add {
        buffer.bytes.append(3)
        size.withWriteLock { $0 = buffer.bytes.count }
      }
    }
    #expect(results.count == 1)
    #expect(size.value == 3)
  }

  /// Closures that are formed on the main actor must not be isolated to it, because such a closure would trap
  /// on another thread.
  @MainActor @Test func jobsFormedOnTheMainActorRunOffIt() async {
    let isOff = Protector(false)
    await withJobs { jobs in
      jobs.add { isOff.withWriteLock { $0 = true } }
    }
    #expect(isOff.value)
  }

  // On threads of libdispatch, the tasks of this test go on after 1, 31 and 299 seconds, before which the process
  // is ended. It is one of its own, because in another one the pool also serves other tests.
  @Test("jobs that block leave the pool's threads to tasks", arguments: [2, 32, 300])
  func blockedJobsLeaveTasksTheirThreads(count: Int) async {
    await #expect(processExitsWith: .success) { [count = count as Int] in
      let isOpen = Protector(false)
      let blocked = Protector(0)
      async let jobs: Void = withJobs(maxConcurrentJobs: count) { jobs in
        for _ in 0..<count {
          jobs.add {
            blocked.withWriteLock { $0 += 1 }
            isOpen.withReadLock(waitingUntil: { $0 }) { _ in }
          }
        }
      }
      _ = try? await blocked.withReadLock(waitingUntil: { $0 == count }) { _ in }
      await withTaskGroup { group in
        for _ in 0..<100 { group.addTask { await Task.yield() } }
      }
      isOpen.withWriteLock { $0 = true }
      await jobs
    }
  }

  // MARK: Errors

  @Test("an error does not stop other jobs, which can look")
  func othersRunAfterAFailure() async {
    let seen = Protector<[Bool]>([])
    let results = await results(throwing: Failure.self) { jobs in
      jobs.add { (jobs) throws(Failure) in
        seen.withWriteLock { $0.append(jobs.isCancelled) }
        // The inner job may begin before the outer job throws, so it waits until the group is cancelled.
        jobs.add { jobs in
          while !jobs.isCancelled { PlatformThread.yield() }
          seen.withWriteLock { $0.append(true) }
        }
        throw Failure(number: 1)
      }
    }
    #expect(failure(results) == Failure(number: 1))
    #expect(seen.value == [false, true])
  }

  /// The type of the errors follows from the jobs, or is written where nothing else says it.
  @Test func theErrorsTypeIsInferred() async {
    do throws(Failure) {
      try await withJobs { jobs in
        for number in 1...3 { jobs.add { () throws(Failure) in throw Failure(number: number) } }
      }
      Issue.record("the error is lost")
    } catch {
      #expect(error.number == 1, "that of the job that was added first")
    }
    do {
      try await withJobs { (jobs: borrowing JobScope<any Error>) in jobs.add { throw Failure(number: 4) } }
      Issue.record("the error is lost")
    } catch {
      #expect(error as? Failure == Failure(number: 4))
    }
    // Jobs that don't throw need no `try`.
    let number = await withJobs { jobs in
      for _ in 0..<3 { jobs.add {} }
      return 5
    }
    #expect(number == 5)
  }

  // MARK: Waiting

  /// An executor that runs each job of a task immediately, and counts the jobs.
  private final class CountingExecutor: TaskExecutor {
    let count = RelaxedCounter()

    func enqueue(_ job: UnownedJob) {
      count.add(1)
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// `withJobs` must run its scope before it suspends or installs a cancellation handler.
  ///
  /// Either could enqueue the task again.
  @Test("the waiting form runs its scope before the task is enqueued again")
  func scopeIsSynchronous() async {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
    let executor = CountingExecutor()
    let numbers = await withTaskExecutorPreference(executor) {
      let before = executor.count.value
      return await withJobs { _ in [before, executor.count.value] }
    }
    #expect(numbers[0] == numbers[1])
  }

  @Test("jobs see that the waiting task was cancelled, and are waited for")
  func cancellationIsSeenByJobs() async {
    let (begun, ended) = (Signal(), RelaxedFlag())
    let task = Task {
      await withJobs { jobs in
        jobs.add { jobs in
          begun.send()
          while !jobs.isCancelled { PlatformThread.yield() }
          ended.set()
        }
      }
      return ended.isSet
    }
    await onAThread { begun.wait() }
    task.cancel()
    #expect(await task.value)
  }

  @Test("jobs of a task that was cancelled before see it from the beginning")
  func earlierCancellationIsSeenByJobs() async {
    let isCancelled = Protector<[Bool]>([])
    await inCancelledTask {
      await withJobs { jobs in
        isCancelled.withWriteLock { $0.append(jobs.isCancelled) }
        jobs.add { jobs in isCancelled.withWriteLock { $0.append(jobs.isCancelled) } }
      }
    }
    #expect(isCancelled.value == [true, true])
  }
}
