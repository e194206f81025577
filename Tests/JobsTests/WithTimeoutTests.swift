import Jobs
import Protectors
import TestSupport
import Testing

/// The names of what has happened.
private final class Events: Sendable {
  private let names = ExclusiveProtector<[String]>([])

  var all: [String] { names.value }

  func add(_ name: String) { names.withLock { $0.append(name) } }

  func wait(for name: String) async {
    _ = try? await names.withLock(waitingUntil: { $0.contains(name) }) { _ in }
  }
}

/// Suspends the calling task until it is cancelled.
private func untilCancelled() async {
  _ = try? await ExclusiveProtector(false).withLock(waitingUntil: { $0 }) { _ in }
}

/// Suspends the calling task until it is cancelled, and then throws.
private func failWhenCancelled() async throws {
  await untilCancelled()
  try Task.checkCancellation()
}

/// A client's wrapper.
nonisolated(nonsending) private func callWithTimeout(_ body: nonisolated(nonsending) () async -> Void) async {
  await withTimeout(.seconds(5)) { await body() }
}

nonisolated(nonsending) private func checkIsolatedToCaller() async {
  let isolation = #isolation
  #expect(isolation != nil)
  isolation?.preconditionIsolated()
}

nonisolated(nonsending) private func checkIsolationWithTimeout() async {
  let isolation = #isolation
  await withTimeout(.seconds(5)) { isolation?.preconditionIsolated() }
}

private func checkWithTimeout(isolation: isolated (any Actor)?) async {
  // A closure that captures the parameter itself is in its isolation.
  let actor = isolation
  await withTimeout(.seconds(5)) { actor?.preconditionIsolated() }
}

@Suite struct WithTimeoutTests {
  private struct Failure: Error, Equatable {}

  private final class Plain {
    var number = 0
  }

  private struct Unique: ~Copyable {
    var number: Int
  }

  private actor Lonely {
    func checkIsolationWithTimeout() async {
      await JobsTests.checkIsolationWithTimeout()
      await withTimeout(.seconds(5), checkIsolatedToCaller)
    }
  }

  /// A clock whose time has always come.
  private struct PassingClock: Clock {
    var now: ManualClock.Instant { ManualClock.Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {}
  }

  /// A clock whose sleep returns when it is cancelled, as if it had come to its end.
  private struct SwallowingClock: Clock {
    var now: ManualClock.Instant { ManualClock.Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      await untilCancelled()
    }
  }

  @TaskLocal private static var name = "none"

  private let clock = ManualClock()
  private let events = Events()

  /// Moves the clock to the end of a timeout of `seconds`, as soon as that has begun.
  private func pass(_ seconds: Int) async {
    await clock.untilATaskSleeps(until: seconds)
    clock.advance(by: .seconds(seconds))
  }

  /// The error that `call` throws.
  private func error(of call: () async throws -> Void) async -> (any Error)? {
    do {
      try await call()
      return nil
    } catch { return error }
  }

  /// The error of a call whose timeout passes.
  private func errorAfterTheTimeout(_ operation: @Sendable () async throws -> Void) async -> (any Error)? {
    async let passing: Void = pass(5)
    let error = await error { try await withTimeout(.seconds(5), clock: clock, operation) }
    await passing
    return error
  }

  // MARK: In time

  /// The clock stands still: the end of the operation ends the sleep.
  @Test func aValueThatComesInTimeIsReturned() async {
    let value = await withTimeout(.seconds(5), clock: clock) {
      await clock.untilATaskSleeps(until: 5)
      return Task.isCancelled ? 0 : 7
    }
    #expect(value == 7)
    #expect(clock.sleeping == [])
  }

  @Test func anErrorOfCancellationThatComesInTimeIsThrown() async {
    let error = await error { try await withTimeout(.seconds(5), clock: clock) { throw CancellationError() } }
    #expect(error is CancellationError)
  }

  // MARK: Too late

  @Test func theTimeoutCancelsTheOperation() async {
    #expect(await errorAfterTheTimeout { try await failWhenCancelled() } is TimeoutError)
    #expect(!Task.isCancelled)
  }

  @Test func theTimeoutCountsFromTheClocksTime() async {
    clock.advance(by: .seconds(100))
    await withTimeout(.seconds(5), clock: clock) { await clock.untilATaskSleeps(until: 105) }
  }

  @Test func aValueThatComesTogetherWithTheTimeoutIsReturned() async throws {
    for number in 0..<1_000 {
      #expect(
        try await withTimeout(.seconds(5), clock: PassingClock()) { () async throws in number } == number)
    }
  }

  @Test func anotherErrorThatComesLateIsThrown() async {
    let error = await errorAfterTheTimeout {
      await untilCancelled()
      throw Failure()
    }
    #expect(error is Failure)
  }

  /// The type of the error can't represent a `TimeoutError`.
  @Test func aTypedErrorOfCancellationIsThrown() async {
    async let passing: Void = pass(5)
    do throws(CancellationError) {
      try await withTimeout(.seconds(5), clock: clock) { () async throws(CancellationError) in
        await untilCancelled()
        throw CancellationError()
      }
      Issue.record("it throws")
    } catch { #expect(!Task.isCancelled) }
    await passing
  }

  @Test func theCallWaitsForAnOperationThatIgnoresItsCancellation() async {
    let gate = TaskGate()
    async let value = {
      let value = await withTimeout(.seconds(5), clock: clock) {
        await untilCancelled()
        events.add("cancelled")
        await gate.pass()
        events.add("ended")
        return 7
      }
      events.add("returned")
      return value
    }()
    await pass(5)
    await events.wait(for: "cancelled")
    for _ in 0..<100 { await Task.yield() }
    events.add("opened")
    await gate.open()
    #expect(await value == 7)
    #expect(events.all == ["cancelled", "opened", "ended", "returned"])
  }

  /// The operation occupies the caller's actor, so that the caller can't run when the timeout passes.
  ///
  /// In a process of its own, where it keeps no other test from the main actor, and no other test keeps its tasks
  /// from the pool's threads.
  @Test func anOperationThatComputesOnTheCallersActorIsCancelled() async {
    await #expect(processExitsWith: .success) { await WithTimeoutTests.computeUntilCancelled() }
  }

  @MainActor private static func computeUntilCancelled() async {
    let clock = ManualClock()
    let advancing = Task.detached {
      await clock.untilATaskSleeps(until: 5)
      clock.advance(by: .seconds(5))
    }
    await withTimeout(.seconds(5), clock: clock) { while !Task.isCancelled {} }
    await advancing.value
  }

  // MARK: Zero, and more than a clock has

  @Test func zeroTriesOnce() async {
    #expect(await withTimeout(.zero, clock: clock) { Task.isCancelled })
    #expect(await withTimeout(.zero) { Task.isCancelled })
    let error = await error {
      try await withTimeout(.zero, clock: clock) { try await failWhenCancelled() }
    }
    #expect(error is TimeoutError)
    #expect(clock.sleeping == [])
  }

  /// Nothing sleeps for these timeouts: the standard library's clock traps at the longer ones.
  @Test(arguments: [.seconds(1 << 31), .seconds(Int64.max), .seconds(Int64.max) * 18])
  func aHugeTimeoutNeverPasses(timeout: Duration) async {
    #expect(await !withTimeout(timeout) { Task.isCancelled })
    clock.advance(by: .seconds(Int64.max))
    let isCancelled = await withTimeout(timeout, clock: clock) {
      for _ in 0..<100 { await Task.yield() }
      return Task.isCancelled || clock.sleeping != []
    }
    #expect(!isCancelled)
  }

  @Test func theClockSleepsForTheLongestTimeout() async {
    #expect(await !withTimeout(.seconds(Int32.max)) { Task.isCancelled })
    await withTimeout(.seconds(Int32.max), clock: clock) {
      await clock.untilATaskSleeps(until: Int(Int32.max))
    }
  }

  /// The operation has ended before the sleep begins.
  @Test(arguments: [0, 5]) func anExecutorMayRunTheOperationImmediately(seconds: Int) async {
    let isCancelled = await Task(executorPreference: InlineExecutor()) {
      await withTimeout(.seconds(seconds), clock: clock) { Task.isCancelled }
    }.value
    #expect(isCancelled == (seconds == 0))
    #expect(clock.sleeping == [])
  }

  // MARK: The default clock

  @Test func theDefaultClockCancelsTheOperation() async {
    let start = SuspendingClock.now
    await #expect(throws: TimeoutError.self) {
      try await withTimeout(.milliseconds(2)) { try await failWhenCancelled() }
    }
    #expect(SuspendingClock.now - start >= .milliseconds(2))
  }

  #if os(Linux)
    /// In a process of its own, whose memory other tests don't change.
    @Test(.enabled(if: !Sanitizer.isActive, "a sanitizer keeps what is freed"))
    func nothingIsLeftOfATimeoutThatDidNotPass() async {
      await #expect(processExitsWith: .success) {
        func call(_ count: Int) async {
          for _ in 0..<count {
            await withTimeout(.seconds(3_600)) { try? await Task.sleep(for: .microseconds(20)) }
          }
        }
        await call(500)
        // What is left of each call shows in each round; stacks of threads and free memory don't.
        var least = Int.max
        for _ in 0..<5 where least >= 1 << 20 {
          let before = ResidentMemory.bytes
          await call(5_000)
          least = min(least, ResidentMemory.bytes - before)
        }
        precondition(least < 1 << 20, "\(least) bytes are left of 5000 calls")
      }
    }
  #endif

  // MARK: Cancellation of the caller

  @Test(arguments: [0, 5]) func aCallerMayBeCancelledBefore(seconds: Int) async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await withTimeout(.seconds(seconds), clock: clock) { try Task.checkCancellation() }
    }
    #expect(await error { try await task.value } is CancellationError)
    #expect(clock.sleeping == [])
  }

  /// The end of a sleep that was cancelled is not taken for the timeout.
  @Test func aClockMaySwallowItsCancellation() async {
    let started = Events()
    let task = Task {
      try await withTimeout(.seconds(5), clock: SwallowingClock()) {
        started.add("started")
        await untilCancelled()
        // The sleep has time to end first.
        for _ in 0..<100 { await Task.yield() }
        try Task.checkCancellation()
      }
    }
    await started.wait(for: "started")
    task.cancel()
    #expect(await error { try await task.value } is CancellationError)
  }

  @Test func theCallersCancellationAfterTheTimeoutChangesNothing() async {
    let gate = TaskGate()
    let task = Task {
      try await withTimeout(.seconds(5), clock: clock) {
        await untilCancelled()
        events.add("cancelled")
        await gate.pass()
        try Task.checkCancellation()
      }
    }
    await pass(5)
    await events.wait(for: "cancelled")
    task.cancel()
    await gate.open()
    #expect(await error { try await task.value } is TimeoutError)
  }

  // MARK: Nesting

  @Test(arguments: [(5, 9), (9, 5)]) func theShorterTimeoutPassesFirst(outer: Int, inner: Int) async {
    async let passing: Void = {
      await clock.untilATaskSleeps(until: 9)
      await pass(5)
    }()
    let end = await ending {
      try await withTimeout(.seconds(outer), clock: clock) {
        let end = await ending {
          try await withTimeout(.seconds(inner), clock: clock) { try await failWhenCancelled() }
        }
        #expect(end == (inner < outer ? .timedOut : .cancelled))
        try Task.checkCancellation()
      }
    }
    #expect(end == (inner < outer ? .returned : .timedOut))
    await passing
  }

  // MARK: The task of the operation

  @Test func theOperationHasTheTaskLocalValuesAndThePriorityOfItsCaller() async {
    for priority in [TaskPriority.background, .high] {
      let (name, base) = await Task.detached(priority: priority) {
        await Self.$name.withValue("outer") {
          await withTimeout(.seconds(5), clock: clock) { (Self.name, Task.basePriority) }
        }
      }.value
      #expect(name == "outer")
      #expect(base == priority)
    }
  }

  @MainActor @Test func theOperationRunsInTheIsolationOfItsCaller() async throws {
    let (first, second) = (Plain(), Plain())
    let returned = try await withTimeout(.seconds(5), clock: clock) { () async throws -> Plain in
      MainActor.assertIsolated()
      first.number += 1
      await clock.untilATaskSleeps(until: 5)
      MainActor.assertIsolated()
      second.number += 1
      return second
    }
    MainActor.assertIsolated()
    first.number += 1
    returned.number += 1
    #expect((first.number, second.number) == (2, 2))
  }

  /// The compiler knows the isolation of none of these operations.
  @MainActor @Test func theOperationRunsInAnIsolationThatIsAParameter() async {
    await callWithTimeout { MainActor.preconditionIsolated() }
    await checkIsolationWithTimeout()
    await checkWithTimeout(isolation: #isolation)
    await withTimeout(.seconds(5), checkIsolatedToCaller)
    let actor = Lonely()
    await actor.checkIsolationWithTimeout()
    await checkWithTimeout(isolation: actor)
  }

  @Test func theResultMayBeNoncopyable() async {
    let unique = await withTimeout(.seconds(5), clock: clock) { Unique(number: 7) }
    #expect(unique.number == 7)
  }

  @Test func theOperationIsReleasedBeforeTheCallReturns() async {
    weak var object: Plain?
    do {
      let plain = Plain()
      object = plain
      await withTimeout(.seconds(5), clock: clock) { plain.number += 1 }
    }
    #expect(object == nil)
  }
}
