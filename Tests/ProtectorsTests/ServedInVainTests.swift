import InterlockCore
import ReadWriteLocks
import TestSupport
import Testing

@testable import Protectors

/// Tests the errors of tasks that were served in vain, because their predicates were false again when they arrived.
///
/// The tests run on the actor of the waiting tasks, so a served task arrives only when its test awaits.
@Suite(.serialized) struct ServedInVainTests {
  @globalActor fileprivate actor SerialTests {
    static let shared = SerialTests()
  }

  /// An asynchronous call that waits until a protector's value is 1.
  fileprivate struct Call: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let wait: @SerialTests @Sendable (_ timeout: Duration?) async throws -> Void
    let write: @Sendable (Int) -> Void
    let isQueued: @Sendable () -> Bool
    let isAtRest: @Sendable () -> Bool
  }

  private static func call<Lock: RawLock & ~Copyable>(
    _ name: String, _ protector: GuardedValue<Int, Lock>,
    _ wait: @SerialTests @Sendable @escaping (_ timeout: Duration?) async throws -> Void
  ) -> Call {
    Call(
      testDescription: name, wait: wait,
      write: { new in withWriteLocks(protector, ExclusiveProtector(0)) { value, _ in value = new } },
      isQueued: { protector.waiters.cancellableCount > 0 && protector.count > 0 },
      isAtRest: { protector.waiters.isAtRest })
  }

  private static var calls: [Call] {
    let (protector, other, exclusive) = (Protector(0), Protector(1), ExclusiveProtector(0))
    let condition = protector.condition { $0 == 1 }
    return [
      call("write", protector) { timeout in
        try await protector.withWriteLock(waitingUntil: { $0 == 1 }, timeout: timeout) { _ in }
      },
      call("write, condition", protector) { timeout in
        try await protector.withWriteLock(waitingUntil: condition, timeout: timeout) { _ in }
      },
      call("read", protector) { timeout in
        try await protector.withReadLock(waitingUntil: { $0 == 1 }, timeout: timeout) { _ in }
      },
      call("read, condition", protector) { timeout in
        try await protector.withReadLock(waitingUntil: condition, timeout: timeout) { _ in }
      },
      call("exclusive", exclusive) { timeout in
        try await exclusive.withLock(waitingUntil: { $0 == 1 }, timeout: timeout) { _ in }
      },
      call("two values", exclusive) { timeout in
        try await withWriteLocks(
          exclusive, other, waitingUntil: { $0 == 1 && $1 == 1 }, timeout: timeout
        ) { _, _ in }
      },
      call("several values", protector) { timeout in
        try await withWriteLocks(
          [protector, other], waitingUntil: { $0 == [1, 1] }, timeout: timeout
        ) { _ in }
      },
    ]
  }

  @Test(.timeLimit(.minutes(10)), arguments: calls, [false, true]) @SerialTests
  private func aCancelledTaskThrowsCancellationError(call: Call, waitsAgain: Bool) async {
    for timeout in [nil, Duration.seconds(1000)] {
      let task = Task { try await call.wait(timeout) }
      while !call.isQueued() { await Task.yield() }
      call.write(1)
      call.write(0)
      if waitsAgain { while !call.isQueued() { await Task.yield() } }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(call.isAtRest())
    }
  }

  @Test(.timeLimit(.minutes(10)), arguments: calls, [false, true]) @SerialTests
  private func aTaskThrowsTimeoutErrorAfterItsDeadline(call: Call, waitsAgain: Bool) async {
    var timeout = Duration.milliseconds(10)
    var wasServed = false
    while !wasServed {
      timeout *= 2
      // The deadline of the task is not before the first of these, and not after the second one.
      let earliest = Deadline(after: timeout)
      let task = Task { [timeout] in try await call.wait(timeout) }
      while !call.isQueued(), !earliest.hasPassed { await Task.yield() }
      let latest = Deadline(after: timeout)
      call.write(1)
      call.write(0)
      wasServed = !earliest.hasPassed
      if waitsAgain {
        while !call.isQueued(), !latest.hasPassed { await Task.yield() }
      } else {
        while !latest.hasPassed { PlatformThread.yield() }
      }
      await #expect(throws: TimeoutError.self) { try await task.value }
      #expect(call.isAtRest())
    }
  }

  /// A thread that was served in vain goes on to wait, and serves those whose predicates hold by then.
  ///
  /// Its predicate holds on the threads of others alone; that of the second thread does only after this.
  @Test private func aThreadWaitsAgainAndServesOthers() {
    let number = ExclusiveProtector(0)
    let first = Unguarded<UInt32>(0)
    let wasInVain = RelaxedFlag()
    let order = ExclusiveProtector<[Int]>([])
    race(threads: 3) { index in
      switch index {
      case 0:
        number.withLock { _ in first.value = ThreadIdentity.current }
        number.withLock(waitingUntil: { number in
          if number == 1, ThreadIdentity.current == first.value { wasInVain.set() }
          return number == 2 || number == 1 && ThreadIdentity.current != first.value
        }) { _ in order.withLock { $0.append(1) } }
      case 1:
        number.withLock(waitingUntil: { $0 == 1 && wasInVain.isSet }) { number in
          order.withLock { $0.append(2) }
          number = 2
        }
      default:
        while number.count != 2 { PlatformThread.yield() }
        number.withLock { $0 = 1 }
      }
    }
    #expect(order.value == [2, 1])
    let isAtRest = number.waiters.isAtRest
    #expect(isAtRest)
  }
}
