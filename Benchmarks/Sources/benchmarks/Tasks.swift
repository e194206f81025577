internal import AsyncLocks
internal import BenchmarkHarness
internal import Dispatch
internal import Jobs
internal import LazyInitialization
internal import Protectors
internal import Synchronization

/// Makes a contestant that runs in tasks.
///
/// The harness's worker starts the tasks of a batch, and waits until they have ended.
func inTask(_ name: String, _ batch: @escaping @Sendable (_ count: Int) async -> Int) -> Contestant {
  Contestant(name: name) { _, count in
    let result = IsolatedBox(0)
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      result.pointer.pointee = await batch(count)
      isDone.signal()
    }
    isDone.wait()
    return result.pointer.pointee
  }
}

// MARK: Sections without contention, in one task

private var protector: Contestant {
  let protector = Protector(0)
  return inTask("Protector") { count in
    for _ in 0..<count { protector.withWriteLock { $0 &+= 1 } }
    return protector.withWriteLock { $0 }
  }
}

private var mutex: Contestant {
  let mutex = AsyncMutex(0)
  return inTask("AsyncMutex") { count in
    for _ in 0..<count { await mutex.withLock { $0 &+= 1 } }
    return await mutex.withLock { $0 }
  }
}

private var predicate: Contestant {
  let protector = Protector(0)
  return inTask("Protector, predicate that holds") { count in
    for _ in 0..<count { _ = try? await protector.withWriteLock(waitingUntil: { $0 >= 0 }) { $0 &+= 1 } }
    return protector.withWriteLock { $0 }
  }
}

/// An actor that runs on a dispatch queue of its own, so that its caller has to switch threads.
private actor ActorOfQueue {
  private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "tasks")

    func enqueue(_ job: UnownedJob) {
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private let executor = QueueExecutor()
  private var count = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func add() -> Int {
    count &+= 1
    return count
  }
}

private var actor: Contestant {
  let counter = ActorOfQueue()
  return inTask("actor on a queue") { count in
    var sum = 0
    for _ in 0..<count { sum = outsideOfTheActor(sum, await counter.add()) }
    return sum
  }
}

/// Adds two numbers outside the actor.
///
/// The measured loop calls this function after each operation, and so leaves the actor. Otherwise the
/// optimizer could run the whole loop in the actor.
@inline(never)
private func outsideOfTheActor(_ first: Int, _ second: Int) -> Int { first &+ second }

// MARK: Semaphores

/// A semaphore that tasks share.
private protocol SemaphoreOfTasks: Sendable {
  /// Acquires and releases a permit `count` times.
  func run(_ count: Int) async
}

private struct AsyncSemaphoreOfTasks: SemaphoreOfTasks {
  let semaphore = AsyncSemaphore(permits: 1)

  func run(_ count: Int) async {
    for _ in 0..<count { await semaphore.withPermit {} }
  }
}

/// A semaphore with one permit as programs often write it by hand: continuations in an array behind a `Mutex`.
private final class HandWrittenSemaphore: SemaphoreOfTasks {
  private struct State {
    var permits = 1
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func run(_ count: Int) async {
    for _ in 0..<count {
      await wait()
      signal()
    }
  }

  private func wait() async {
    await withCheckedContinuation { continuation in
      let hasPermit = state.withLock { state in
        if state.permits > 0 {
          state.permits -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if hasPermit { continuation.resume() }
    }
  }

  private func signal() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.permits += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

/// Makes the contestants whose `tasks` tasks share a permit; an operation is a critical section.
private func permits(tasks: Int) -> [Contestant] {
  func row(_ name: String, _ semaphore: some SemaphoreOfTasks) -> Contestant {
    inTask(name) { count in
      if tasks == 1 {
        await semaphore.run(count)
      } else {
        await withTaskGroup { group in
          for _ in 0..<tasks { group.addTask { await semaphore.run(count / tasks) } }
        }
      }
      return count
    }
  }
  return [
    row("AsyncSemaphore", AsyncSemaphoreOfTasks()), row("hand-written semaphore", HandWrittenSemaphore()),
  ]
}

// MARK: Hand-offs between two tasks

/// Hand-offs of a mutex between two tasks.
///
/// Each critical section yields, so that the other task begins to wait for the mutex. A critical section
/// counts only if the previous one was the other task's.
private var mutexHandOffs: Contestant {
  inTask("AsyncMutex") { count in
    let turns = AsyncMutex((last: 0, count: 0))
    await withTaskGroup { group in
      for player in 1...2 {
        group.addTask {
          while true {
            let turn = await turns.withLock { turns in
              if turns.last != player {
                turns.last = player
                turns.count += 1
              }
              await Task.yield()
              return turns.count
            }
            if turn >= count { return }
          }
        }
      }
    }
    return count
  }
}

/// Lets two tasks resume each other; an atomic word holds the continuation of the suspended task.
private final class PingPong: Sendable {
  private let suspended = Atomic<UInt>(0)

  /// Resumes the other task if it is suspended, and leaves `bits` in place of its continuation.
  ///
  /// A task must call this method with 0 after its last turn. Otherwise the other task could stay suspended
  /// forever.
  func resumeTheOther(leaving bits: UInt) {
    let other = suspended.exchange(bits, ordering: .acquiringAndReleasing)
    if other != 0 { unsafeBitCast(other, to: UnsafeContinuation<Void, Never>.self).resume() }
  }

  /// Resumes the other task if it is suspended, and suspends the current task until the other task resumes
  /// it.
  func takeTurn() async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      resumeTheOther(leaving: unsafeBitCast(continuation, to: UInt.self))
    }
  }
}

/// Hand-offs between two tasks that yield, and then resume each other's continuations.
private func continuationHandOffs(
  _ name: String, takingTurnsBy takeTurn: @escaping @Sendable (PingPong) async -> Void
) -> Contestant {
  inTask(name) { count in
    let table = PingPong()
    await withTaskGroup { group in
      for _ in 0...1 {
        group.addTask {
          for _ in 0..<(count / 2) {
            await Task.yield()
            await takeTurn(table)
          }
          table.resumeTheOther(leaving: 0)
        }
      }
    }
    return count
  }
}

private let bareContinuations = continuationHandOffs("bare continuations") { await $0.takeTurn() }

/// Each wait notices that its task is escalated, as a wait must that lends its priority.
private let escalatedContinuations = continuationHandOffs("with escalation handlers") { table in
  guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
    return await table.takeTurn()
  }
  await withTaskPriorityEscalationHandler {
    await table.takeTurn()
  } onPriorityEscalated: { _, _ in
  }
}

// MARK: Elements

private var mailboxElements: Contestant {
  inTask("Mailbox") { count in
    let mailbox = Mailbox<Int>(capacity: 16)
    var sum = 0
    for number in 0..<count {
      _ = try? await mailbox.send(number)
      sum &+= (try? await mailbox.receive()) ?? 0
    }
    return sum
  }
}

private var streamElements: Contestant {
  inTask("AsyncStream") { count in
    let (stream, source) = AsyncStream.makeStream(of: Int.self)
    var elements = stream.makeAsyncIterator()
    var sum = 0
    for number in 0..<count {
      source.yield(number)
      sum &+= await elements.next() ?? 0
    }
    return sum
  }
}

// MARK: Cancellation

/// The number of tasks that wait at the same time; the number of operations in a batch must be a multiple
/// of it.
private let waitingTasks = 10_000

/// Measures the cancellation of tasks that wait for mutexes; for each mutex, `waiting` tasks wait.
///
/// An operation is a task, from its beginning to its end. The number of tasks is the same for any
/// `waiting`, and all are in one group. The memory of a task, and the time in which the runtime finds an
/// ended task in the group, therefore don't depend on `waiting`. Only the lists of tasks that wait for a
/// mutex differ in length.
private func cancellations(_ name: String, waiting: Int) -> Contestant {
  inTask(name) { count in
    var cancelled = 0
    for _ in 0..<(count / waitingTasks) {
      let mutexes = (0..<(waitingTasks / waiting)).map { _ in AsyncMutex(0) }
      cancelled += await holding(mutexes[...]) {
        let begun = IsolatedBox(Atomic(0))
        return await withTaskGroup(of: Bool.self) { group in
          for number in 0..<waitingTasks {
            let mutex = mutexes[number % mutexes.count]
            group.addTask {
              begun.pointer.pointee.add(1, ordering: .relaxed)
              return (try? await mutex.withLockUnlessCancelled { $0 += 1 }) != nil
            }
          }
          while begun.pointer.pointee.load(ordering: .relaxed) < waitingTasks { await Task.yield() }
          group.cancelAll()
          return await group.reduce(0) { $1 ? $0 : $0 + 1 }
        }
      }
    }
    return cancelled
  }
}

/// Runs `body` while this task holds all of the mutexes.
private func holding(
  _ mutexes: ArraySlice<AsyncMutex<Int>>, _ body: @Sendable () async -> Int
) async -> Int {
  guard let first = mutexes.first else { return await body() }
  return await first.withLock { _ in await holding(mutexes.dropFirst(), body) }
}

// MARK: Work in order, and a few calls at a time

private var queue: Contestant {
  inTask("AsyncQueue") { count in
    let queue = AsyncQueue()
    let ended = IsolatedBox(0)
    for _ in 0..<count { _ = queue.add { ended.pointer.pointee &+= 1 } }
    await queue.finish()
    return ended.pointer.pointee
  }
}

/// A stream of closures and one task that runs them; it awaits each in a task of its own if `makesTasks`.
private func stream(_ name: String, makesTasks: Bool) -> Contestant {
  inTask(name) { count in
    let (stream, source) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
    let ended = IsolatedBox(0)
    let consumer = Task {
      for await item in stream {
        if makesTasks { await Task { await item() }.value } else { await item() }
      }
    }
    for _ in 0..<count { source.yield { ended.pointer.pointee &+= 1 } }
    source.finish()
    await consumer.value
    return ended.pointer.pointee
  }
}

private let callsAtATime = 8

private var map: Contestant {
  inTask("concurrentMap(limit:)") { count in
    await (0..<count).concurrentMap(limit: callsAtATime) { $0 &* 2 }.last!
  }
}

private var group: Contestant {
  inTask("task group") { count in
    await withTaskGroup(of: (Int, Int).self) { group in
      var results = Array(repeating: 0, count: count)
      for number in 0..<count {
        if number >= callsAtATime, let (index, result) = await group.next() { results[index] = result }
        group.addTask { (number, number &* 2) }
      }
      for await (index, result) in group { results[index] = result }
      return results.last!
    }
  }
}

// MARK: Calls that share a run

/// Runs under way by key, as they are usually shared.
actor DictionaryOfTasks {
  private var tasks: [Int: Task<Int, Never>] = [:]

  func value(for key: Int, _ make: @escaping @Sendable () async -> Int) async -> Int {
    if let task = tasks[key] { return await task.value }
    let task = Task { await make() }
    tasks[key] = task
    let value = await task.value
    tasks[key] = nil
    return value
  }
}

/// Measures calls that find the run of their key under way, each in a task of its own, which is part of the operation.
///
/// The run ends when most of the calls wait for it.
private func sharingRun(
  _ name: String,
  _ value: @escaping @Sendable (_ make: @escaping @Sendable () async -> Int) async -> Int
) -> Contestant {
  inTask(name) { count in
    let isOpen = Protector(false)
    let begun = IsolatedBox(Atomic(0))
    return await withTaskGroup(of: Int.self) { group in
      for _ in 0..<count {
        group.addTask {
          begun.pointer.pointee.add(1, ordering: .relaxed)
          return await value {
            (try? await isOpen.withReadLock(waitingUntil: { $0 }) { _ in }) == nil ? 0 : 1
          }
        }
      }
      while begun.pointer.pointee.load(ordering: .relaxed) < count { await Task.yield() }
      isOpen.withWriteLock { $0 = true }
      return await group.reduce(0, +)
    }
  }
}

private var sharedRuns: [Contestant] {
  let tasks = DictionaryOfTasks()
  let flights = SingleFlight<Int, Int>()
  return [
    sharingRun("actor with tasks") { await tasks.value(for: 1, $0) },
    sharingRun("SingleFlight") { (try? await flights.value(for: 1, $0)) ?? 0 },
  ]
}

// MARK: The suite

extension Suite {
  /// Measures the locks for tasks.
  static var tasks: Suite {
    Suite(
      name: "tasks", about: "tasks that lock, wait and give up",
      contests: [
        contest(alone, "section", 10_000, [protector, mutex, predicate] + permits(tasks: 1)),
        contest(alone, "section, or call", 500, [actor, mutex]),
        contest(alone, "an element, sent and received", 10_000, [streamElements, mailboxElements]),
        contest(
          handOffs, "two tasks in turn", 2_000, [bareContinuations, escalatedContinuations, mutexHandOffs]),
        contest(
          work, "a closure in order", 5_000,
          [
            stream("AsyncStream, one task", makesTasks: false),
            stream("AsyncStream, a task for each", makesTasks: true), queue,
          ]),
        contest(work, "an element of a loop, 8 at a time", 5_000, [group, map]),
        contest(work, "a call that joins a run", 5_000, sharedRuns),
      ]
        + waitingCounts.map { waiting in
          contest(
            handOffs, "\(waiting) waiting tasks", 10 * (waiting + 1), permits(tasks: waiting + 1).reversed())
        } + [
          contest(
            cancelled, "a waiting task", 10_000,
            [
              cancellations("100 waiting tasks", waiting: 100),
              cancellations("10 000 waiting tasks", waiting: 10_000),
            ])
        ])
  }

  fileprivate static let (alone, handOffs, work, cancelled) = (
    "uncontended, in a task", "hand-offs between tasks", "work in tasks", "tasks that are cancelled"
  )
  fileprivate static let waitingCounts = [2, 64, 1_000]

  /// A contest whose first contestant is the reference.
  private static func contest(
    _ group: String, _ title: String, _ unit: Int, _ contestants: [Contestant]
  ) -> Contest {
    Contest(
      group: group, title: title, metric: .cost, operationUnit: unit, reference: contestants[0].name,
      contestants: contestants, runsOnOtherThreads: true)
  }
}

extension Target {
  /// The claims that compare locks for tasks with other ways to guard data or to resume tasks.
  static var tasks: [Target] {
    let section = ("tasks", Suite.alone, "section")
    return [
      ratio(
        "AsyncMutex / Protector.withWriteLock, time", in: section, "AsyncMutex", over: ["Protector"],
        .atMost(4)),
      ratio(
        "a wait whose predicate holds / AsyncMutex, time", in: section, "Protector, predicate that holds",
        over: ["AsyncMutex"], .atMost(1)),
      ratio(
        "a call to an actor on another thread / AsyncMutex, time",
        in: ("tasks", Suite.alone, "section, or call"), "actor on a queue", over: ["AsyncMutex"],
        .atLeast(10)),
      ratio(
        "hand-written semaphore / AsyncSemaphore, time", in: section, "hand-written semaphore",
        over: ["AsyncSemaphore"], .atLeast(2)),
      ratio(
        "an element through a Mailbox / through an AsyncStream, time",
        in: ("tasks", Suite.alone, "an element, sent and received"), "Mailbox", over: ["AsyncStream"],
        .atMost(0.5)),
      ratio(
        "two tasks in turn: AsyncMutex / with escalation handlers, time",
        in: ("tasks", Suite.handOffs, "two tasks in turn"), "AsyncMutex", over: ["with escalation handlers"],
        .atMost(2.2)),
      ratio(
        "AsyncQueue / AsyncStream with a task for each closure, time",
        in: ("tasks", Suite.work, "a closure in order"), "AsyncQueue", over: ["AsyncStream, a task for each"],
        .atMost(1.8)),
      ratio(
        "concurrentMap(limit:) / hand-written task group, time",
        in: ("tasks", Suite.work, "an element of a loop, 8 at a time"), "concurrentMap(limit:)",
        over: ["task group"], .atMost(1.2)),
    ]
      + Suite.waitingCounts.map { waiting in
        ratio(
          "\(waiting) waiting tasks: AsyncSemaphore / hand-written semaphore, time",
          in: ("tasks", Suite.handOffs, "\(waiting) waiting tasks"), "AsyncSemaphore",
          over: ["hand-written semaphore"], .atMost(1))
      } + [
        ratio(
          "a cancelled task of 10 000 / one of 100, time", in: ("tasks", Suite.cancelled, "a waiting task"),
          "10 000 waiting tasks", over: ["100 waiting tasks"], .atMost(2))
      ]
  }
}
