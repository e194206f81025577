import InterlockCore
import Exploration
import ReadWriteLocks
import TestSupport
import Testing

@testable import Protectors

/// Tests tasks that wait for predicates.
///
/// Some tests run on an actor of their own, so a waiting task of that actor runs only while its test awaits.
/// The test can therefore act after the task was notified, and before it runs again. The main actor is
/// unsuitable, because other tests keep it busy.
@Suite struct TasksThatWaitTests {
  private let protector = Protector(0)

  @globalActor private actor SerialTests {
    static let shared = SerialTests()
  }

  private struct Failure: Error, Equatable {}

  @Test func aPredicateThatHoldsIsNotWaitedFor() async throws {
    let protector = Protector(1)
    let before = try await protector.withWriteLock(waitingUntil: { $0 == 1 }) { value in
      defer { value = 2 }
      return value
    }
    #expect(before == 1)
    #expect(try await protector.withReadLock(waitingUntil: { $0 == 2 }) { $0 } == 2)
    try await protector.withWriteLock(waitingUntil: { $0 == 2 }) { $0 = 0 }
    try await protector.withReadLock(waitingUntil: { $0 == 0 }) { _ in }
    let exclusive = ExclusiveProtector(1)
    #expect(try await exclusive.withLock(waitingUntil: { $0 == 1 }, timeout: .zero) { $0 } == 1)
    try await exclusive.withLock(waitingUntil: { $0 == 1 }) { $0 = 2 }
    #expect(exclusive.value == 2)
  }

  @Test(.timeLimit(.minutes(10))) func aWriteEndsTheWait() async throws {
    async let written = protector.withWriteLock(waitingUntil: { $0 == 1 }) { value in
      value = 2
      return "written"
    }
    async let read = protector.withReadLock(waitingUntil: { $0 == 2 }) { _ in "read" }
    await tasks(2, waitIn: protector)
    protector.withWriteLock { $0 = 1 }
    #expect(try await written == "written")
    #expect(try await read == "read")
    #expect(protector.count == 0)
  }

  @Test(.timeLimit(.minutes(10)), arguments: [Duration.zero, .milliseconds(10)])
  func theTimeoutIncludesTheWaitForTheLock(timeout: Duration) async throws {
    let protector = Protector(1)
    let (isInside, hasGivenUp) = (RelaxedFlag(), Signal())
    async let section: Void = onAThread {
      protector.withWriteLock { _ in
        isInside.set()
        hasGivenUp.wait()
      }
    }
    while !isInside.isSet { await Task.yield() }
    let results = [
      await unlessTimedOut {
        try await protector.withWriteLock(waitingUntil: { $0 == 1 }, timeout: timeout) { $0 }
      },
      await unlessTimedOut {
        try await protector.withReadLock(waitingUntil: { $0 == 1 }, timeout: timeout) { $0 }
      },
      await unlessTimedOut {
        try await withWriteLocks([protector], waitingUntil: { $0 == [1] }, timeout: timeout) { $0[0] }
      },
    ]
    hasGivenUp.send()
    await section
    #expect(results == [nil, nil, nil])
    #expect(protector.count == 0)
  }

  @Test(.timeLimit(.minutes(10))) func cancellationEndsTheWait() async throws {
    let writer = Task { try await protector.withWriteLock(waitingUntil: { $0 == 1 }) { _ in 1 } }
    let reader = Task { try await protector.withReadLock(waitingUntil: { $0 == 1 }) { _ in 1 } }
    await tasks(2, waitIn: protector)
    writer.cancel()
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await writer.value }
    await #expect(throws: CancellationError.self) { try await reader.value }
    #expect(protector.count == 0)
  }

  @Test(.timeLimit(.minutes(10))) func aCancelledTaskDoesNotWait() async throws {
    await inCancelledTask { [protector] in
      await #expect(throws: CancellationError.self) {
        try await protector.withWriteLock(waitingUntil: { $0 == 1 }) { _ in }
      }
      await #expect(throws: CancellationError.self) {
        try await protector.withReadLock(waitingUntil: { $0 == 1 }, timeout: .seconds(1000)) { _ in }
      }
      // A call with this timeout does not wait, so its task gives up nothing by being cancelled.
      await #expect(throws: TimeoutError.self) {
        try await protector.withWriteLock(waitingUntil: { $0 == 1 }, timeout: .zero) { _ in }
      }
      await #expect(throws: TimeoutError.self) {
        try await protector.withReadLock(waitingUntil: { $0 == 1 }, timeout: .zero) { _ in }
      }
      // What is free is there for a cancelled task, too.
      await #expect(throws: Never.self) {
        try await protector.withWriteLock(waitingUntil: { $0 == 0 }) { $0 = 2 }
        try await protector.withReadLock(waitingUntil: { $0 == 2 }) { _ in }
      }
    }
    #expect(protector.value == 2)
  }

  @Test(.timeLimit(.minutes(10))) func aTimeoutEndsTheWait() async throws {
    for timeout in [Duration.zero, .milliseconds(2)] {
      await #expect(throws: TimeoutError.self) {
        try await protector.withWriteLock(waitingUntil: { $0 == 1 }, timeout: timeout) { _ in 1 }
      }
      await #expect(throws: TimeoutError.self) {
        try await protector.withReadLock(waitingUntil: { $0 == 1 }, timeout: timeout) { _ in 1 }
      }
    }
    #expect(protector.count == 0)
  }

  @Test(.timeLimit(.minutes(10))) func errorsPassThrough() async throws {
    let task = Task {
      try await protector.withWriteLock(waitingUntil: { $0 == 1 }) { value throws(Failure) -> Int in
        value = 2
        throw Failure()
      }
    }
    await tasks(1, waitIn: protector)
    protector.withWriteLock { $0 = 1 }
    await #expect(throws: Failure()) { try await task.value }
    #expect(try await protector.withReadLock(waitingUntil: { $0 == 2 }) { $0 } == 2)
  }

  // MARK: On an actor

  @Test(.timeLimit(.minutes(10))) @MainActor func bodiesRunInTheCallersIsolation() async throws {
    var seen: [Int] = []
    let task = Task {
      try await protector.withWriteLock(waitingUntil: { $0 > 0 }) { value in
        MainActor.assertIsolated()
        seen.append(value)
      }
    }
    await tasks(1, waitIn: protector)
    await Task.detached { protector.withWriteLock { $0 = 7 } }.value
    try await task.value
    #expect(seen == [7])
  }

  /// A task that is notified before it suspends must go on without a suspension.
  ///
  /// Another task of the actor would run during a suspension, and would set `hasRun`.
  @Test @SerialTests func aTaskThatIsServedAlreadyDoesNotLeaveItsActor() async throws {
    var hasRun = false
    var other: Task<Void, Never>?
    await protector.withTaskWait(for: { $0 == 1 }, of: nil, .reader, until: .never) { wait in
      protector.ownLock.withWriteLock { _ = protector.queueOrGiveUp(wait, isServed: false) }
      protector.withWriteLock { $0 = 1 }
      other = Task { @SerialTests in hasRun = true }
      let isServed = await wait.isServedAfterWaiting()
      #expect(isServed && !hasRun)
    }
    await other?.value
  }

  @Test(.timeLimit(.minutes(10))) @SerialTests func aServedTaskRunsItsBodyAlthoughCancelled() async throws {
    let task = Task { try await protector.withWriteLock(waitingUntil: { $0 == 1 }) { $0 } }
    await tasks(1, waitIn: protector)
    protector.withWriteLock { $0 = 1 }
    // The first write has notified the task, which can't run before this test awaits. This write must not
    // notify it again.
    protector.withWriteLock { $0 = 1 }
    task.cancel()
    #expect(try await task.value == 1)
    #expect(protector.count == 0)
  }

  @Test(.timeLimit(.minutes(10))) @SerialTests func aServedTaskThatIsCancelledTooLateGetsNothing()
    async throws
  {
    let writer = Task { try await protector.withWriteLock(waitingUntil: { $0 == 1 }) { $0 } }
    let reader = Task { try await protector.withReadLock(waitingUntil: { $0 == 1 }) { $0 } }
    await tasks(2, waitIn: protector)
    protector.withWriteLock { $0 = 1 }
    protector.withWriteLock { $0 = 0 }
    writer.cancel()
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await writer.value }
    await #expect(throws: CancellationError.self) { try await reader.value }
    #expect(protector.waiters.isAtRest == true)
  }

  @Test(.timeLimit(.minutes(10))) @SerialTests func aTaskServedInVainWaitsOn() async throws {
    let writer = Task { try await protector.withWriteLock(waitingUntil: { $0 == 1 }) { $0 } }
    let reader = Task { try await protector.withReadLock(waitingUntil: { $0 == 1 }) { $0 } }
    await tasks(2, waitIn: protector)
    for _ in 0..<3 {
      protector.withWriteLock { $0 = 1 }
      protector.withWriteLock { $0 = 0 }
      await tasks(2, waitIn: protector)
    }
    protector.withWriteLock { $0 = 1 }
    #expect(try await writer.value == 1)
    #expect(try await reader.value == 1)
  }

  // MARK: Overtaking

  /// A pool of one connection, which a busy task uses and returns in a loop, on the waiting task's executor.
  ///
  /// The busy task is not suspended by its calls until it has to wait behind the other one.
  @Test(.timeLimit(.minutes(10)), arguments: [false, true]) @SerialTests
  func aBusyTaskDoesNotStarveAWaitingOne(hasCondition: Bool) async throws {
    let pool = Protector([7])
    let isAvailable = pool.condition { !$0.isEmpty }
    let connection = pool.withWriteLock { $0.removeLast() }
    let uses = RelaxedCounter()
    let waiting = Task {
      let connection =
        hasCondition
        ? try await pool.withWriteLock(waitingUntil: isAvailable) { $0.removeLast() }
        : try await pool.withWriteLock(waitingUntil: { !$0.isEmpty }) { $0.removeLast() }
      let usesBefore = uses.value
      pool.withWriteLock { $0.append(connection) }
      return usesBefore
    }
    await tasks(1, waitIn: pool)
    pool.withWriteLock { $0.append(connection) }
    while uses.value < 1_000 {
      let connection = try await pool.withWriteLock(waitingUntil: { !$0.isEmpty }) { $0.removeLast() }
      uses.add(1)
      pool.withWriteLock { $0.append(connection) }
    }
    #expect(try await waiting.value == 64)
    #expect(pool.value == [7])
  }

  /// Calls that would have to wait behind a task that was overtaken 64 times, but may not wait.
  @Test(.timeLimit(.minutes(10))) @SerialTests func whoMayNotOvertakeAndMayNotWaitGetsNothing() async throws {
    let first = Task { try await protector.withWriteLock(waitingUntil: { $0 == 1 }) { $0 = 2 } }
    await tasks(1, waitIn: protector)
    // One task, without a suspension, so that the first one does not run.
    let other = Task { () async throws in
      for _ in 0..<64 { #expect(try await protector.withWriteLock(waitingUntil: { $0 == 1 }) { $0 } == 1) }
      // Not in a closure of `#expect(throws:)`, which might leave the actor.
      let late = await unlessTimedOut {
        try await protector.withWriteLock(waitingUntil: { $0 == 1 }, timeout: .zero) { $0 }
      }
      #expect(late == nil)
      // Reading is no overtaking, and a section without a predicate does not wait.
      #expect(try await protector.withReadLock(waitingUntil: { $0 == 1 }) { $0 } == 1)
      protector.withWriteLock { _ in }
      withUnsafeCurrentTask { $0?.cancel() }
      let cancelled = await unlessCancelled {
        try await protector.withWriteLock(waitingUntil: { $0 == 1 }) { $0 }
      }
      #expect(cancelled == nil)
      #expect(protector.count == 0)
    }
    protector.withWriteLock { $0 = 1 }
    try await other.value
    try await first.value
    #expect(try await protector.withWriteLock(waitingUntil: { $0 == 2 }, timeout: .zero) { $0 } == 2)
  }

  /// Threads must be served past a task that was served and was overtaken 64 times.
  ///
  /// The test blocks the executor of this task, as a synchronous call on the pool's only thread would.
  @Test(.timeLimit(.minutes(10))) @SerialTests func noThreadWaitsForATaskThatIsDue() async throws {
    let task = Task { try await protector.withWriteLock(waitingUntil: { $0 > 0 }) { $0 -= 1 } }
    await tasks(1, waitIn: protector)
    protector.withWriteLock { $0 = 1 }
    for _ in 0..<64 { #expect(try await protector.withWriteLock(waitingUntil: { $0 > 0 }) { $0 } == 1) }
    Self.takeWaiting(protector)
    race(threads: 4) { number in
      if number < 3 { return Self.takeWaiting(protector) }
      while protector.count < 3 { PlatformThread.yield() }
      protector.withWriteLock { $0 = 3 }
    }
    #expect(protector.value == 0)
    protector.withWriteLock { $0 = 1 }
    try await task.value
    #expect(protector.value == 0)
  }

  /// The same while synchronous calls block all threads of the pool, and each waits for an element.
  @Test(.timeLimit(.minutes(10))) func noThreadWaitsForATaskWhileThePoolIsBlocked() async throws {
    await #expect(processExitsWith: .success) {
      let protector = Protector(0)
      let first = Task { try await protector.withWriteLock(waitingUntil: { $0 > 0 }) { $0 -= 1 } }
      await tasks(1, waitIn: protector)
      // More tasks than the pool has threads: the last ones run when the first ones have ended.
      let blocking = (0..<64).map { _ in Task { Self.takeWaiting(protector) } }
      PlatformThread { for _ in 0..<65 { protector.withWriteLock { $0 += 1 } } }.join()
      for task in blocking { await task.value }
      try await first.value
      Swift.precondition(protector.count == 0 && protector.value == 0)
    }
  }

  private static func takeWaiting(_ protector: Protector<Int>) {
    protector.withWriteLock(waitingUntil: { $0 > 0 }) { $0 -= 1 }
  }

  /// A served task whose predicate is false again must hand on what it held back.
  ///
  /// While it was on its way to the lock, the write that made the other task's predicate true could not serve
  /// that task.
  @Test(.timeLimit(.minutes(10)), arguments: [false, true]) @SerialTests
  func aTaskServedInVainHandsOn(isCancelled: Bool) async throws {
    let first = Task { try await protector.withWriteLock(waitingUntil: { $0 == 1 }) { $0 } }
    await tasks(1, waitIn: protector)
    let second = Task { try await protector.withWriteLock(waitingUntil: { $0 == 2 }) { $0 } }
    await tasks(2, waitIn: protector)
    protector.withWriteLock { $0 = 1 }
    protector.withWriteLock { $0 = 2 }
    if isCancelled { first.cancel() }
    #expect(try await second.value == 2)
    if !isCancelled { protector.withWriteLock { $0 = 1 } }
    #expect(await unlessCancelled { try await first.value } == (isCancelled ? nil : 1))
    #expect(protector.count == 0)
  }

  // MARK: Conditions

  @Test(.timeLimit(.minutes(10))) func aConditionIsEvaluatedOnceForAllThatWait() async throws {
    let evaluations = RelaxedCounter()
    let isOne = protector.condition { evaluations.counting($0 == 1) }
    let waiting = (0..<300).map { number in
      Task {
        switch number % 3 {
        case 0: try await protector.withWriteLock(waitingUntil: isOne) { _ in true }
        case 1: try await protector.withReadLock(waitingUntil: isOne, timeout: .seconds(3600)) { _ in true }
        default: try await protector.withWriteLock(waitingUntil: isOne) { $0 } == 1
        }
      }
    }
    await tasks(300, waitIn: protector)
    let before = evaluations.value
    for value in 2..<102 { protector.withWriteLock { $0 = value } }
    #expect(evaluations.value - before == 100)
    protector.withWriteLock { $0 = 1 }
    for task in waiting { #expect(try await task.value) }
    // Each task evaluates it when it runs, and a writer also at its end, for the next one.
    #expect(evaluations.value - before <= 100 + 300 * 2 + 1)
    #expect(protector.count == 0)
  }

  @Test(.timeLimit(.minutes(10))) func aConditionHandsEachElementToOneTask() async throws {
    let evaluations = RelaxedCounter()
    let isPositive = protector.condition { evaluations.counting($0 > 0) }
    let count = 2_000
    let waiting = (0..<count).map { _ in
      Task { try await protector.withWriteLock(waitingUntil: isPositive) { $0 -= 1 } }
    }
    await tasks(count, waitIn: protector)
    for _ in 0..<count { protector.withWriteLock { $0 += 1 } }
    for task in waiting { try await task.value }
    #expect(protector.value == 0)
    // Twice before it waits, once when it runs, and once at the end of its section and of a write.
    #expect(evaluations.value <= count * 5)
  }

  @Test(.timeLimit(.minutes(10))) func aBroadcastToWritersWithClosuresIsLinear() async throws {
    let evaluations = RelaxedCounter()
    let protector = Protector(false)
    let count = 2_000
    let waiting = (0..<count).map { _ in
      Task {
        try await protector.withWriteLock(waitingUntil: { evaluations.counting($0) }) { _ in }
      }
    }
    await tasks(count, waitIn: protector)
    protector.withWriteLock { $0 = true }
    for task in waiting { try await task.value }
    #expect(evaluations.value <= count * 4 + 1)
  }

  /// Tasks with and without a condition, some of which are cancelled or time out, wait beside one another.
  @Test(.timeLimit(.minutes(10))) @SerialTests func tasksThatWaitForAConditionMayGiveUp() async throws {
    let protector = Protector<[Int]?>(nil)
    let isOpen = protector.condition { $0 != nil }
    var waiting: [Task<Void, any Error>] = []
    for number in 0..<40 {
      waiting.append(
        Task {
          if number % 4 == 3 {
            return try await protector.withWriteLock(waitingUntil: { $0 != nil }) { $0!.append(number) }
          }
          let timeout: Duration? = number % 5 == 0 ? .milliseconds(1) : nil
          try await protector.withWriteLock(waitingUntil: isOpen, timeout: timeout) { $0!.append(number) }
        })
      await Task.yield()
    }
    for number in stride(from: 0, to: 40, by: 7) { waiting[number].cancel() }
    for number in 0..<40 where number % 7 == 0 || (number % 5 == 0 && number % 4 != 3) {
      let end = await waiting[number].result
      let error = #expect(throws: (any Error).self) { try end.get() }
      // A task that has both reasons may give either.
      let mayTimeOut = number % 5 == 0 && number % 4 != 3
      #expect(error is CancellationError && number % 7 == 0 || error is TimeoutError && mayTimeOut)
    }
    protector.withWriteLock { $0 = [] }
    var ended: [Int] = []
    for (number, task) in waiting.enumerated() where (try? await task.value) != nil { ended.append(number) }
    let order = protector.value!
    #expect(order.sorted() == ended)
    #expect(order.filter { $0 % 4 != 3 } == ended.filter { $0 % 4 != 3 })
    #expect(order.filter { $0 % 4 == 3 } == ended.filter { $0 % 4 == 3 })
    #expect(protector.count == 0)
  }

  @Test func aConditionOfAnotherProtectorTraps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let other = ExclusiveProtector(0)
      let isZero = other.condition { $0 == 0 }
      _ = try await ExclusiveProtector(0).withLock(waitingUntil: isZero) { $0 }
    }
    #expect(
      result?.standardErrorContent.trap
        == "ExclusiveProtector: waited for a condition of another protector; make it with `condition(_:)` of this one"
    )
  }

  /// A thread has no list of its own for a condition; it waits for the condition's closure.
  @Test(.timeLimit(.minutes(10))) func aThreadWaitsForACondition() async throws {
    let protector = ExclusiveProtector(0)
    let isOne = protector.condition { $0 == 1 }
    let task = Task { try await protector.withLock(waitingUntil: isOne) { $0 } }
    let thread = PlatformThread { protector.withLock(waitingUntil: isOne.isSatisfied) { #expect($0 == 1) } }
    while protector.count < 2 { await Task.yield() }
    protector.withLock { $0 = 1 }
    thread.join()
    #expect(try await task.value == 1)
  }

  /// The writing thread notifies the thread before the task, which it runs itself.
  @Test(.timeLimit(.minutes(10)), arguments: [false, true])
  func aTaskThatBlocksItsWriterHoldsUpNoThread(isWrittenBesideAnother: Bool) async throws {
    let (protector, other) = (Protector(0), Protector(0))
    let hasRun = Signal()
    let task = Task(executorPreference: InlineExecutor()) {
      try await protector.withReadLock(waitingUntil: { $0 == 1 }) { _ in }
      hasRun.wait()
    }
    await tasks(1, waitIn: protector)
    let waiting = isWrittenBesideAnother ? other : protector
    let thread = PlatformThread {
      waiting.withWriteLock(waitingUntil: { $0 == 1 }) { _ in }
      hasRun.send()
    }
    while protector.count + other.count < 2 { await Task.yield() }
    await onAThread {
      if isWrittenBesideAnother {
        withWriteLocks(protector, other) { ($0, $1) = (1, 1) }
      } else {
        protector.withWriteLock { $0 = 1 }
      }
    }
    try await task.value
    thread.join()
  }

  // MARK: Many

  /// A task is cancelled while a writer evaluates its predicate, and its cancellation handler acquires the
  /// protector's lock.
  ///
  /// Resuming a task may need a lock that the runtime holds while cancellation handlers run. A writer that
  /// resumed the task under the protector's lock would therefore deadlock.
  @Test(.timeLimit(.minutes(10))) func aHandlerOfItsCancellationMayEnterTheProtector() async throws {
    let protector = Protector(false)
    let step = LockWord()
    let waiting = Monitor<Task<Void, any Error>?>(nil)
    let task = Task {
      try await withTaskCancellationHandler {
        try await protector.withReadLock(waitingUntil: { isOpen in
          if step.loadAcquiring() == 1 {
            PlatformThread { waiting.enter { $0 }?.cancel() }.detach()
            while step.loadAcquiring() == 1 { MonotonicClock.sleep(.milliseconds(1)) }
          }
          return isOpen
        }) { _ in }
      } onCancel: {
        _ = step.exchangeReleasing(2)
        protector.withWriteLock { _ in }
      }
    }
    waiting.enter { $0 = task }
    await tasks(1, waitIn: protector)
    _ = step.exchangeReleasing(1)
    PlatformThread { protector.withWriteLock { _ in } }.detach()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(step.loadAcquiring() == 2 && protector.count == 0)
  }

  @Test(.timeLimit(.minutes(10)), arguments: [0, 20])
  func noElementAndNoTaskIsLost(percentCancelled: Int) async {
    let count = StressSize.pick(quick: 1000, full: 10_000)
    let protector = Protector([Int]())
    let isFilled = protector.condition { !$0.isEmpty }
    let taken = RelaxedCounter()
    let gaveUp = RelaxedCounter()
    let consumers = (0..<count).map { number in
      Task {
        let timeout: Duration? = number % 7 == 0 ? .seconds(3600) : nil
        let element = await unlessCancelled {
          number % 2 == 0
            ? try await protector.withWriteLock(waitingUntil: isFilled, timeout: timeout) { $0.removeLast() }
            : try await protector.withWriteLock(waitingUntil: { !$0.isEmpty }, timeout: timeout) {
              $0.removeLast()
            }
        }
        if element == nil { gaveUp.add(1) } else { taken.add(1) }
      }
    }
    var generator = Seed.current.generator(stream: 3)
    for consumer in consumers where Int.random(in: 0..<100, using: &generator) < percentCancelled {
      consumer.cancel()
    }
    // Two threads add the elements. Two more take some of them, and add them again.
    race(threads: 4) { number in
      for element in 0..<count where element % 2 == number { protector.withWriteLock { $0.append(element) } }
      for attempt in 0..<count / 10 where number > 1 {
        let timeout = Duration.microseconds(attempt % 50)
        let element = unlessTimedOut {
          try protector.withWriteLock(waitingUntil: { !$0.isEmpty }, timeout: timeout) { $0.removeLast() }
        }
        if let element { protector.withWriteLock { $0.append(element) } }
      }
    }
    for consumer in consumers { await consumer.value }
    #expect(taken.value + gaveUp.value == count)
    #expect(protector.withReadLock { $0.count } == gaveUp.value)
    #expect(protector.count == 0)
    if percentCancelled == 0 { #expect(gaveUp.value == 0) }
  }
}
