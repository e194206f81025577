internal import BenchmarkHarness
internal import Protectors
internal import ReadWriteLocks
internal import UnfairLocks

extension Suite {
  /// Measures how fast threads hand values to one another, and how late timed waits return.
  static var waits: Suite {
    Suite(
      name: "waits", about: "threads that wait for what others do",
      contests: [waitContest(pingPong, unit: 400, pingPongs)]
        + [1, 4].map { pairs in waitContest(queueTitle(pairs: pairs), unit: 4_000, queues(pairs: pairs)) }
        + [timeouts])
  }

  /// The title of the results table for threads that hand values to one another.
  static let waitGroup = "hand-offs"
  static let pingPong = "two threads take turns"

  /// The title of the table column for a queue with `pairs` producers and as many consumers.
  static func queueTitle(pairs: Int) -> String {
    "queue, \(pairs) to \(pairs)"
  }

  private static func waitContest(_ title: String, unit: Int, _ contestants: [Contestant]) -> Contest {
    Contest(
      group: waitGroup, title: title, metric: .handOffs, threads: 1, operationUnit: unit,
      reference: WaitName.pthread, contestants: contestants)
  }

  /// Measures how late a timeout is in the worst case, while other threads write.
  private static var timeouts: Contest {
    Contest(
      group: "a wait that times out, 3 threads write", title: "latest timeout", metric: .waits, threads: 4,
      operationUnit: 1_000, reference: WaitName.pthread,
      contestants: [
        TimeoutTrial.contestant(WaitName.protector, NumberOfProtector(Protector(0))),
        TimeoutTrial.contestant(WaitName.exclusive, NumberOfProtector(ExclusiveProtector(0))),
        TimeoutTrial.contestant(WaitName.pthread, NumberOfPthread()),
      ])
  }

  private static var pingPongs: [Contestant] {
    [
      HandOffTrial.pingPong(WaitName.protector, TurnsOfProtector(Protector(0))),
      HandOffTrial.pingPong(WaitName.exclusive, TurnsOfProtector(ExclusiveProtector(0))),
      HandOffTrial.pingPong(WaitName.pthread, TurnsOfPthread()),
      HandOffTrial.pingPong(WaitName.dispatch, TurnsOfSemaphores()),
      HandOffTrial.pingPong(WaitName.foundation, TurnsOfNSCondition()),
    ]
  }

  private static func queues(pairs: Int) -> [Contestant] {
    [
      HandOffTrial.queue(WaitName.protector, QueueOfProtector(Protector(Ring())), pairs: pairs),
      HandOffTrial.queue(WaitName.exclusive, QueueOfProtector(ExclusiveProtector(Ring())), pairs: pairs),
      HandOffTrial.queue(WaitName.pthread, QueueOfPthread(), pairs: pairs),
      HandOffTrial.queue(WaitName.dispatch, QueueOfSemaphores(), pairs: pairs),
      HandOffTrial.queue(WaitName.foundation, QueueOfNSCondition(pairs: pairs), pairs: pairs),
    ]
  }
}

extension Target {
  /// The claims that compare hand-offs between threads with a `Protector` and with the system's libraries.
  static var waits: [Target] {
    ([Suite.pingPong] + [1, 4].map(Suite.queueTitle)).flatMap { title in
      [WaitName.pthread, WaitName.dispatch, WaitName.foundation].flatMap { peer in
        let paths = [WaitName.protector, peer].map { Path("waits", Suite.waitGroup, title, $0) }
        return [
          Target("\(title): Protector / \(peer), hand-offs", .ratio(paths[0], over: paths[1]), .atLeast(1)),
          Target(
            "\(title): Protector / \(peer), CPU time", .processorTime(paths[0], over: paths[1]),
            .atMost(1)),
        ]
      }
    }
  }
}
