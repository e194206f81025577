#if Exploration
  import AtomicProperties
  import Exploration
  import InterlockServices
  import TestSupport
  import Testing

  @testable import InterlockCore

  /// Explores the service's threads: requests beside the end of an idle runner, a refused thread, and a runner that is
  /// replaced because its call blocks.
  @Suite(.serialized) struct ServiceThreadScheduleTests {
    private static let bounded = ExplorationStrategy.exhaustive(preemptions: 2)
    private static let random = ExplorationStrategy.priorities(executions: 5_000, depth: 4)

    /// A service with as many calls to make as were added.
    private final class Calls: Sendable {
      let service: ServiceThread
      private let added = AtomicWord()
      private let made = AtomicWord()
      private let hasBegun = AtomicWord()
      /// Only the runner uses it, and each sees what the last one did.
      private let begun = ExploredCell<UInt64>(0)
      private let blocks: Bool
      /// 1 while the service sleeps when it has nothing to do; otherwise it rests.
      private let sleeps = AtomicWord()

      /// - Parameters:
      ///   - blocks: Whether the first call blocks until the second one has ended.
      ///   - refused: The starts of threads that the system refuses, counted from 0.
      ///   - sleeps: Whether only a request ends a sleep, until `end` is called.
      init(blocks: Bool = false, sleeps: Bool = false, refused: Set<UInt64> = []) {
        let starts = AtomicWord()
        self.blocks = blocks
        self.sleeps.store(sleeps ? 1 : 0, .relaxed)
        service = ServiceThread(idleTime: .seconds(1)) { body in
          if refused.contains(starts.add(1, .relaxed)) { return false }
          ExploredThreads.current!.startThread(body)
          return true
        }
      }

      func add() {
        added.add(1, .relaxed)
        service.request { self.next() }
      }

      func end() {
        sleeps.store(0, .relaxed)
        service.request { self.next() }
      }

      private func next() -> ServiceThread.Next {
        let number = begun.value
        let others = added.load(.relaxed) - number
        if others == 0 { return sleeps.load(.relaxed) == 0 ? .rest : .sleep(until: .never) }
        begun.value = number + 1
        return .call({ self.call(number) }, othersWait: others > 1)
      }

      private func call(_ number: UInt64) {
        if number == 0 { hasBegun.store(1, .relaxed) }
        if blocks, number == 0 { wait(for: 1) }
        made.add(1, .relaxed)
      }

      func waitForBegin() { while hasBegun.load(.relaxed) == 0 { spinLoopHint() } }

      func wait(for count: UInt64) { while made.load(.relaxed) < count { spinLoopHint() } }
    }

    @Test func aRequestIsServed() throws {
      try check("ServiceThread, 2 requests", Self.bounded, mayEndEarly: true) { run in
        let calls = Calls()
        calls.add()
        calls.add()
        calls.wait(for: 2)
      }
    }

    @Test func requestsOfTwoThreadsAreServed() throws {
      try check("ServiceThread, 2 threads", Self.bounded, mayEndEarly: true) { run in
        let calls = Calls()
        run.inThreads({ calls.add() }, { calls.add() })
        calls.wait(for: 2)
      }
    }

    /// A request beside the beginning of a sleep that only a request ends.
    @Test func aRequestEndsASleep() throws {
      try check("ServiceThread, a sleep", Self.bounded, mayEndEarly: true) { run in
        let calls = Calls(sleeps: true)
        run.inThreads({ calls.add() }, { calls.add() })
        calls.wait(for: 2)
        calls.end()
      }
    }

    /// A request beside the end of the runner, which has had nothing to do.
    @Test func aRequestAfterARestIsServed() throws {
      try check("ServiceThread, 2 requests apart", Self.bounded, spuriousWakeUps: 1, mayEndEarly: true) {
        run in
        let calls = Calls()
        for count in 1...2 as ClosedRange<UInt64> {
          calls.add()
          calls.wait(for: count)
        }
      }
    }

    @Test(arguments: [[0], [0, 1]] as [Set<UInt64>]) func aRefusedThreadIsReplaced(refused: Set<UInt64>)
      throws
    {
      try check("ServiceThread, \(refused) refused", Self.bounded, mayEndEarly: true) { run in
        let calls = Calls(refused: refused)
        run.inThreads({ calls.add() }, { calls.add() })
        calls.wait(for: 2)
      }
    }

    @Test(arguments: [false, true]) func aCallThatBlocksHoldsUpNoOther(randomly: Bool) throws {
      try check(
        "ServiceThread, a call that blocks", randomly ? Self.random : Self.bounded, mayEndEarly: true
      ) { run in
        let calls = Calls(blocks: true)
        run.inThreads({ calls.add() }, { calls.add() })
        calls.wait(for: 2)
        calls.add()
        calls.wait(for: 3)
      }
    }

    /// The guard's thread is refused once.
    @Test func anotherRequestBringsTheRefusedGuard() throws {
      try check("ServiceThread, a refused guard", Self.bounded, mayEndEarly: true) { run in
        let calls = Calls(blocks: true, refused: [1])
        calls.add()
        calls.waitForBegin()
        calls.add()
        calls.add()
        calls.wait(for: 3)
      }
    }
  }
#endif
