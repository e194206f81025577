import InterlockCore
import ReadWriteLocks
import TestSupport
import Testing

@testable import Protectors

/// Tests the forms of `withWriteLocks` that wait for a predicate over several values.
@Suite struct WriteLocksWaitingTests {
  private struct Failure: Error, Equatable {}

  /// The protectors of most tests: of two types, so that neither lock's order nor type matters.
  private let left = Protector(0)
  private let right = ExclusiveProtector([Int]())

  private var isAtRest: Bool {
    left.count == 0 && right.count == 0 && left.waiters.isAtRest && right.waiters.isAtRest
  }

  /// Waits on a thread of its own until `left` is positive and `right` has an element, and takes both.
  private func take(timeout: Duration?) async -> Int? {
    await onAThread { [left, right] in
      unlessTimedOut {
        try withWriteLocks(left, right, waitingUntil: { $0 > 0 && !$1.isEmpty }, timeout: timeout) {
          left, right in
          left -= 1
          return right.removeLast()
        }
      }
    }
  }

  /// Waits on a thread of its own, in the form that does not give up.
  private func takePlain() async -> Int? {
    await onAThread { [left, right] () -> Int in
      withWriteLocks(left, right, waitingUntil: { $0 > 0 && !$1.isEmpty }) { left, right in
        left -= 1
        return right.removeLast()
      }
    }
  }

  private func takeInTask(timeout: Duration? = nil) async throws -> Int {
    try await withWriteLocks(left, right, waitingUntil: { $0 > 0 && !$1.isEmpty }, timeout: timeout) {
      left, right in
      left -= 1
      return right.removeLast()
    }
  }

  // MARK: The wait

  @Test func aPredicateThatHoldsIsNotWaitedFor() async throws {
    let sum = { [left] in
      let other = Protector(2)
      return withWriteLocks(left, other, waitingUntil: { $0 < $1 }) { left, other in
        left = 1
        return left + other
      }
    }()
    #expect(sum == 3)
    right.withLock { $0 = [7, 8] }
    #expect(await take(timeout: .zero) == 8)
    left.withWriteLock { $0 = 1 }
    #expect(try await takeInTask(timeout: .zero) == 7)
    let others = [Protector(1), Protector(2), Protector(3)]
    try await withWriteLocks(others, waitingUntil: { $0 == [1, 2, 3] }) { $0 = [4, 5, 6] }
    #expect(await onAThread { withWriteLocks(others, waitingUntil: { $0 == [4, 5, 6] }) { $0.count } } == 3)
  }

  enum Form: CaseIterable { case plain, timed, task }

  @Test(.timeLimit(.minutes(10)), arguments: Form.allCases, [false, true])
  func theLaterOfTwoWritesEndsTheWait(form: Form, isLeftLast: Bool) async throws {
    async let taken: Int? =
      switch form {
      case .plain: await takePlain()
      case .timed: await take(timeout: nil)
      case .task: try await takeInTask()
      }
    await tasks(1, waitIn: left)
    await tasks(1, waitIn: right)
    if isLeftLast { right.withLock { $0 = [7] } } else { left.withWriteLock { $0 = 1 } }
    await tasks(1, waitIn: left)
    await tasks(1, waitIn: right)
    if isLeftLast { left.withWriteLock { $0 = 1 } } else { right.withLock { $0 = [7] } }
    #expect(try await taken == 7)
    #expect(isAtRest)
  }

  @Test(.timeLimit(.minutes(10)), arguments: [false, true])
  func oneOfThreeWritesEndsTheWait(isTask: Bool) async throws {
    for last in 0..<3 {
      let numbers = (0..<3).map { Protector($0 == last ? 0 : 1) }
      async let sum =
        isTask
        ? try await withWriteLocks(numbers, waitingUntil: { $0 == [1, 1, 1] }) { $0.reduce(0, +) }
        : await onAThread { withWriteLocks(numbers, waitingUntil: { $0 == [1, 1, 1] }) { $0.reduce(0, +) } }
      for number in numbers { await tasks(1, waitIn: number) }
      numbers[last].withWriteLock { $0 = 1 }
      #expect(try await sum == 3)
      #expect(numbers.allSatisfy { $0.count == 0 && $0.waiters.isAtRest })
    }
  }

  /// The body's changes serve those that wait for one of the values.
  @Test(.timeLimit(.minutes(10))) func theBodyServesOthers() async throws {
    async let single = left.withWriteLock(waitingUntil: { $0 == 5 }) { $0 }
    async let pair = withWriteLocks(left, right, waitingUntil: { $0 == 5 && $1 == [5] }) { _, _ in "pair" }
    await tasks(2, waitIn: left)
    await tasks(1, waitIn: right)
    withWriteLocks(left, right) { ($0, $1) = (5, [5]) }
    #expect(try await single == 5)
    #expect(try await pair == "pair")
    #expect(isAtRest)
  }

  @Test(.timeLimit(.minutes(10))) func errorsPassThrough() async {
    let failing = Task {
      try await withWriteLocks(left, right, waitingUntil: { left, _ in left == 1 }) {
        _, right throws(Failure) -> Int in
        right = [1]
        throw Failure()
      }
    }
    await tasks(1, waitIn: left)
    left.withWriteLock { $0 = 1 }
    await #expect(throws: Failure()) { try await failing.value }
    #expect(right.withLock { $0 } == [1])
  }

  // MARK: Giving up

  @Test(.timeLimit(.minutes(10)), arguments: [Duration.zero, .milliseconds(2)])
  func aTimeoutEndsTheWait(timeout: Duration) async {
    let began = Deadline.now
    #expect(await take(timeout: timeout) == nil)
    await #expect(throws: TimeoutError.self) { try await takeInTask(timeout: timeout) }
    #expect(.nanoseconds(Deadline.now - began) >= timeout * 2)
    let numbers = [Protector(0), Protector(1), Protector(2)]
    let error = await #expect(throws: TimeoutError.self) {
      try await withWriteLocks(numbers, waitingUntil: { $0 == [1] }, timeout: timeout) { _ in }
    }
    #expect(error?.label == "withWriteLocks")
    // It is the error of none of them.
    #expect(error?.isThrown(by: numbers[0]) == false)
    #expect(
      await onAThread {
        timesOut { try withWriteLocks(numbers, waitingUntil: { $0 == [1] }, timeout: timeout) { _ in } }
      })
    #expect(isAtRest && numbers.allSatisfy { $0.waiters.isAtRest })
  }

  /// A thread that has a timeout does not wait longer for a lock that another thread holds, be it the first one
  /// that is acquired or not.
  @Test(.timeLimit(.minutes(10)), arguments: [true, false])
  func aTimeoutEndsTheWaitForALock(holdsFirst: Bool) async {
    let holdsLeft = holdsFirst == (left.address < right.address)
    let isOver = Signal()
    let holding = Signal()
    let hold: @Sendable () -> Void = {
      holding.send()
      isOver.wait()
    }
    async let held: Void = onAThread { [left, right] in
      if holdsLeft { left.withWriteLock { _ in hold() } } else { right.withLock { _ in hold() } }
    }
    await onAThread { holding.wait() }
    let result = await onAThread { [left, right] in
      timesOut {
        try withWriteLocks(left, right, waitingUntil: { _, _ in true }, timeout: .milliseconds(5)) { _, _ in }
      }
    }
    #expect(result)
    isOver.send()
    await held
    #expect(isAtRest)
  }

  @Test(.timeLimit(.minutes(10))) func cancellationEndsTheWait() async {
    let task = Task { try await takeInTask() }
    await tasks(1, waitIn: right)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(isAtRest)
  }

  @Test(.timeLimit(.minutes(10))) func aCancelledTaskRunsItsBodyIfThePredicateHolds() async {
    let ran = await inCancelledTask {
      await #expect(throws: CancellationError.self) { try await takeInTask() }
      await #expect(throws: CancellationError.self) { try await takeInTask(timeout: .seconds(1000)) }
      await #expect(throws: TimeoutError.self) { try await takeInTask(timeout: .zero) }
      return await unlessCancelled {
        try await withWriteLocks(left, right, waitingUntil: { left, _ in left == 0 }) { _, _ in 2 }
      }
    }
    #expect(ran == 2)
    #expect(isAtRest)
  }

  /// One of the observers is served, and the other one is withdrawn.
  @Test func anEndedWaitIsFreed() {
    let numbers = [Protector(0), Protector(0)]
    weak var ended: JointWait?
    do {
      let wait = JointWait(ofThread: true)
      numbers[0].ownLock.withWriteLock {
        numbers[1].ownLock.withWriteLock { for number in numbers { number.observe(wait) } }
      }
      ended = wait
      numbers[0].withWriteLock { $0 = 1 }
      wait.leave()
    }
    #expect(ended == nil)
    #expect(numbers.allSatisfy { $0.waiters.isAtRest })
  }

  /// The writing thread notifies the thread before the task, which it runs itself.
  @Test(.timeLimit(.minutes(10))) func aTaskThatBlocksItsWriterHoldsUpNoThread() async throws {
    let hasRun = Signal()
    let task = Task(executorPreference: InlineExecutor()) { [left] in
      try await left.withReadLock(waitingUntil: { $0 == 1 }) { _ in }
      hasRun.wait()
    }
    await tasks(1, waitIn: left)
    let thread = PlatformThread { [left, right] in
      withWriteLocks(left, right, waitingUntil: { left, _ in left == 1 }) { _, _ in }
      hasRun.send()
    }
    await tasks(1, waitIn: right)
    await onAThread { [left] in left.withWriteLock { $0 = 1 } }
    try await task.value
    thread.join()
  }
}
