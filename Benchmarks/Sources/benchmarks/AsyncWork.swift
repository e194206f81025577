internal import BenchmarkHarness
internal import Dispatch
internal import Jobs
internal import LazyInitialization
internal import Protectors

// Each contest has what one would write instead first, as the reference.

// MARK: Scopes of jobs

private let jobsOfScope = 2

private var groupOfTasks: Contestant {
  inTask("task group") { count in
    let ended = Ended()
    for _ in 0..<(count / jobsOfScope) {
      await withTaskGroup { group in
        for _ in 0..<jobsOfScope { group.addTask { ended.add() } }
      }
    }
    return ended.count
  }
}

private var dispatchGroup: Contestant {
  inTask("DispatchGroup") { count in
    let ended = Ended()
    for _ in 0..<(count / jobsOfScope) {
      await withUnsafeContinuation { continuation in
        let (group, queue) = (DispatchGroup(), DispatchQueue.global())
        for _ in 0..<jobsOfScope { queue.async(group: group) { ended.add() } }
        group.notify(queue: queue) { continuation.resume() }
      }
    }
    return ended.count
  }
}

private func scope(_ name: String, on queue: DispatchQueue? = nil) -> Contestant {
  inTask(name) { count in
    let ended = Ended()
    for _ in 0..<(count / jobsOfScope) {
      await withJobs(on: queue) { jobs in
        for _ in 0..<jobsOfScope { jobs.add { ended.add() } }
      }
    }
    return ended.count
  }
}

// MARK: Closures in order

private func task(_ name: String) -> Contestant {
  inTask(name) { count in
    var sum = 0
    for number in 0..<count { sum &+= await Task { number }.value }
    return sum
  }
}

private var awaitedItem: Contestant {
  inTask("AsyncQueue") { count in
    let queue = AsyncQueue()
    var sum = 0
    for number in 0..<count { sum &+= (try? await queue.add { number }?.value) ?? 0 }
    return sum
  }
}

/// A bounded queue of closures as it is written by hand: an actor, and a task that runs one after another.
private actor QueueActor {
  private let capacity: Int
  private var items: [@Sendable () async -> Void] = []
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var runner: Task<Void, Never>?

  init(capacity: Int) { self.capacity = capacity }

  func add(_ item: @escaping @Sendable () async -> Void) async {
    while items.count >= capacity { await withCheckedContinuation { waiting.append($0) } }
    items.append(item)
    if runner == nil { runner = Task { await self.run() } }
  }

  private func run() async {
    while !items.isEmpty {
      let item = items.removeFirst()
      if !waiting.isEmpty { waiting.removeFirst().resume() }
      await item()
    }
    runner = nil
  }

  func finish() async { while let runner { await runner.value } }
}

private let roomOfQueue = 16

private var queueActor: Contestant {
  inTask("actor with an array") { count in
    let queue = QueueActor(capacity: roomOfQueue)
    let ended = Ended()
    for _ in 0..<count { await queue.add { ended.add() } }
    await queue.finish()
    return ended.count
  }
}

private var boundedQueue: Contestant {
  inTask("AsyncQueue") { count in
    let queue = AsyncQueue(maxWaitingItems: roomOfQueue)
    let ended = Ended()
    for _ in 0..<count { _ = try? await queue.addWaitingForRoom { ended.add() } }
    await queue.finish()
    return ended.count
  }
}

private let itemsAtATime = 4

private var limitedGroup: Contestant {
  inTask("task group") { count in
    let ended = Ended()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        if number >= itemsAtATime { await group.next() }
        group.addTask { ended.add() }
      }
    }
    return ended.count
  }
}

private var concurrentQueue: Contestant {
  inTask("AsyncQueue") { count in
    let queue = AsyncQueue(maxConcurrentItems: itemsAtATime)
    let ended = Ended()
    for _ in 0..<count { _ = queue.add { ended.add() } }
    await queue.finish()
    return ended.count
  }
}

// MARK: Runs

private var runsOfActor: Contestant {
  let tasks = DictionaryOfTasks()
  return inTask("actor with tasks") { count in
    var sum = 0
    for number in 0..<count { sum &+= await tasks.value(for: number) { number } }
    return sum
  }
}

private var runsOfFlights: Contestant {
  let flights = SingleFlight<Int, Int>()
  return inTask("SingleFlight") { count in
    var sum = 0
    for number in 0..<count { sum &+= (try? await flights.value(for: number) { number }) ?? 0 }
    return sum
  }
}

// MARK: An element at a time, and turns

/// A place for one element, as it is written by hand, for one sender and one receiver.
private actor Slot {
  private var element: Int?
  private var sender: CheckedContinuation<Void, Never>?
  private var receiver: CheckedContinuation<Void, Never>?

  func send(_ new: Int) async {
    while element != nil { await withCheckedContinuation { sender = $0 } }
    element = new
    receiver.take()?.resume()
  }

  func receive() async -> Int {
    while element == nil { await withCheckedContinuation { receiver = $0 } }
    sender.take()?.resume()
    return element.take()!
  }
}

private func elements(
  _ name: String,
  _ make:
    @escaping @Sendable () -> (
      send: @Sendable (Int) async -> Void, receive: @Sendable () async -> Int
    )
) -> Contestant {
  inTask(name) { count in
    let (send, receive) = make()
    let sender = Task { for number in 0..<count { await send(number) } }
    var sum = 0
    for _ in 0..<count { sum &+= await receive() }
    await sender.value
    return sum
  }
}

/// Two numbers that two tasks change in turn, as it is written by hand.
private actor Turns {
  private var (first, second) = (0, 0)
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func take(_ player: Int) async {
    while (first &+ second) & 1 != player { await withCheckedContinuation { waiting.append($0) } }
    if player == 0 { first &+= 1 } else { second &+= 1 }
    let all = waiting
    waiting = []
    for continuation in all { continuation.resume() }
  }
}

private func turns(
  _ name: String, _ make: @escaping @Sendable () -> (@Sendable (Int) async -> Void)
) -> Contestant {
  inTask(name) { count in
    let take = make()
    await withTaskGroup { group in
      for player in 0...1 { group.addTask { for _ in 0..<(count / 2) { await take(player) } } }
    }
    return count
  }
}

private var turnsOfProtectors: Contestant {
  turns("withWriteLocks(waitingUntil:)") {
    let (first, second) = (Protector(0), Protector(0))
    return { player in
      try? await withWriteLocks(first, second, waitingUntil: { ($0 &+ $1) & 1 == player }) {
        if player == 0 { $0 &+= 1 } else { $1 &+= 1 }
      }
    }
  }
}

/// Counts operations that ended, of several threads.
private final class Ended: Sendable {
  private let number = Protector(0)

  var count: Int { number.value }
  func add() { number.withWriteLock { $0 &+= 1 } }
}

// MARK: The suite

extension Suite {
  /// Measures asynchronous work beside what one would write instead.
  static var asyncWork: Suite {
    Suite(
      name: "work", about: "asynchronous work beside what one would write instead",
      contests: [
        contest(
          "a job, 2 in a scope", 100,
          [groupOfTasks, dispatchGroup, scope("withJobs"), scope("withJobs, global queue", on: .global())]),
        contest("a closure, added and awaited", 1_000, [task("Task"), awaitedItem]),
        contest("a closure in order, \(roomOfQueue) wait", 1_000, [queueActor, boundedQueue]),
        contest("a closure, \(itemsAtATime) at a time", 1_000, [limitedGroup, concurrentQueue]),
        contest("a run by itself", 1_000, [runsOfActor, runsOfFlights]),
        contest(
          "an element, with room for one", 1_000,
          [
            elements("actor with continuations") {
              let slot = Slot()
              return ({ await slot.send($0) }, { await slot.receive() })
            },
            elements("Mailbox") {
              let mailbox = Mailbox<Int>(capacity: 1)
              return (
                { _ = try? await mailbox.send($0) }, { (try? await mailbox.receive()).flatMap { $0 } ?? 0 }
              )
            },
          ]),
        contest(
          "two tasks in turn, two values", 1_000,
          [
            turns("actor with continuations") {
              let turns = Turns()
              return { await turns.take($0) }
            },
            turnsOfProtectors,
          ]),
      ])
  }

  /// A contest whose first contestant is the reference; each is a table, because the references differ.
  private static func contest(_ title: String, _ unit: Int, _ contestants: [Contestant]) -> Contest {
    Contest(
      group: title, title: "in tasks", metric: .cost, operationUnit: unit, reference: contestants[0].name,
      contestants: contestants, runsOnOtherThreads: true)
  }
}

extension Target {
  static var asyncWork: [Target] {
    func path(_ name: String) -> Path { Path("work", "a job, 2 in a scope", "in tasks", name) }
    return [
      Target(
        "withJobs / task group, CPU time",
        .processorTime(path("withJobs"), over: path("task group")), .atMost(3)),
      Target(
        "withJobs on a global queue / task group, CPU time",
        .processorTime(path("withJobs, global queue"), over: path("task group")), .atMost(1.5)),
    ]
  }
}
