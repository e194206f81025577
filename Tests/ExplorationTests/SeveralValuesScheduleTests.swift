#if Exploration
  import Exploration
  import InterlockCore
  import Protectors
  import ReadWriteLocks
  import TestSupport
  import Testing

  @testable import Protectors

  /// Explores threads and tasks that wait for a predicate over several values.
  @Suite(.serialized) struct SeveralValuesScheduleTests {
    private static let bounded = ExplorationStrategy.exhaustive(preemptions: 2)

    private typealias Number = ExclusiveProtector<Int>

    private static func isAtRest(_ protectors: Number...) -> Bool {
      protectors.allSatisfy {
        !$0.waiters.isNotEmpty && $0.waiters.waiting?.cancellableCount.loadRelaxed() ?? 0 == 0
      }
    }

    /// Takes 1 from both numbers as soon as both are positive.
    private static func take(_ first: Number, _ second: Number, timeout: Duration? = nil) -> Bool {
      !timesOut {
        try withWriteLocks(first, second, waitingUntil: { $0 > 0 && $1 > 0 }, timeout: timeout) {
          $0 -= 1
          $1 -= 1
        }
      }
    }

    private static func takeInTask(_ first: Number, _ second: Number) async -> Bool {
      let done: Void? = await unlessCancelled {
        try await withWriteLocks(first, second, waitingUntil: { $0 > 0 && $1 > 0 }) {
          $0 -= 1
          $1 -= 1
        }
      }
      return done != nil
    }

    @Test func aThreadIsServedByOneOfTwoWriters() throws {
      try check("two values, a writer for each", Self.bounded) { run in
        let (first, second) = (Number(0), Number(0))
        let waiter = run.thread { Self.take(first, second) }
        let writer = run.thread { first.withLock { $0 = 1 } }
        second.withLock { $0 = 1 }
        writer.join()
        run.expect(waiter.join())
        run.expect(Self.isAtRest(first, second))
      }
    }

    @Test func aThreadIsServedOrTimesOut() throws {
      try check("two values, a thread with a timeout", Self.bounded, mayEndEarly: true) { run in
        let (first, second) = (Number(0), Number(1))
        let waiter = run.thread { Self.take(first, second, timeout: .seconds(1)) }
        first.withLock { $0 = 1 }
        let isServed = waiter.join()
        run.expect(
          first.withLock { $0 } == (isServed ? 0 : 1) && second.withLock { $0 } == (isServed ? 0 : 1))
        run.expect(Self.isAtRest(first, second))
      }
    }

    /// Two threads wait for both values, which they name in opposite orders.
    @Test func twoThreadsAreServed() throws {
      try check("two values, two waiting threads", .random(executions: 4_000)) { run in
        let (first, second) = (Number(0), Number(2))
        let one = run.thread { Self.take(first, second) }
        let two = run.thread { Self.take(second, first) }
        first.withLock { $0 = 2 }
        run.expect(one.join())
        run.expect(two.join())
        run.expect(Self.isAtRest(first, second))
      }
    }

    /// A thread that waits for one value is not passed over because of one that waits for both.
    @Test func aWaitForOneValueIsServedToo() throws {
      try check("two values, and a thread that waits for one", .random(executions: 4_000)) { run in
        let (first, second) = (Number(0), Number(1))
        let both = run.thread { Self.take(first, second) }
        let one = run.thread { first.withLock(waitingUntil: { $0 > 0 }) { $0 -= 1 } }
        first.withLock { $0 = 2 }
        run.expect(both.join())
        one.join()
        run.expect(first.withLock { $0 } == 0 && second.withLock { $0 } == 0)
      }
    }

    @Test func aTaskIsServed() throws {
      try check("two values, a waiting task", Self.bounded) { run in
        let (first, second) = (Number(0), Number(1))
        let task = run.task { await Self.takeInTask(first, second) }
        first.withLock { $0 = 1 }
        run.expect(task.join())
        run.expect(Self.isAtRest(first, second))
      }
    }

    @Test func aCancelledTaskLeavesBothQueues() throws {
      try check("two values, a cancelled task and another", .random(executions: 2_000)) { run in
        let (first, second) = (Number(0), Number(2))
        let one = run.task(mayBeCancelled: true) { await Self.takeInTask(first, second) }
        let two = run.task { await Self.takeInTask(second, first) }
        first.withLock { $0 = 2 }
        let count = one.join() ? 2 : 1
        run.expect(two.join())
        run.expect(first.withLock { $0 } == 2 - count && second.withLock { $0 } == 2 - count)
        run.expect(Self.isAtRest(first, second))
      }
    }

    @Test func threeValuesAreWaitedFor() throws {
      try check("three values, a thread and a task", .random(executions: 2_000)) { run in
        let numbers = [Number(0), Number(1), Number(2)]
        let thread = run.thread {
          withWriteLocks(numbers, waitingUntil: { $0.allSatisfy { $0 > 0 } }) { $0 = $0.map { $0 - 1 } }
        }
        let task = run.task {
          let done: Void? = await unlessCancelled {
            try await withWriteLocks(numbers.reversed(), waitingUntil: { $0[0] > 1 && $0[1] > 0 }) {
              $0[2] = 1
            }
          }
          return done != nil
        }
        thread.join()
        run.expect(task.join())
        run.expect(numbers.map { number in number.withLock { $0 } } == [0, 0, 1])
      }
    }
  }
#endif
