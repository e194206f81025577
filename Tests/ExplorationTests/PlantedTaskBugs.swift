#if Exploration
  import Exploration
  import Protectors
  import Testing

  /// A mistake in asynchronous code, and the repaired code.
  struct PlantedTaskBug: Sendable, CustomTestStringConvertible {
    let name: String
    /// The beginning of the `ExplorationFailure.reason` that an exploration must give for the mistake.
    let reason: String
    var limits = ExplorationLimits(namesLines: false)
    let body: @Sendable (_ run: Execution, _ isRepaired: Bool) -> Void

    var testDescription: String { name }

    init(
      _ name: String, _ reason: String, poolThreads: Int = .max,
      _ body: @escaping @Sendable (_ run: Execution, _ isRepaired: Bool) -> Void
    ) {
      self.name = name
      self.reason = reason
      limits.poolThreads = poolThreads
      self.body = body
    }

    static let all: [PlantedTaskBug] =
      checks + continuations + cancellations + limiters + orders + blockings + leaks + sharedWork

    // MARK: Checks that an await makes stale

    private actor Cache {
      private var images: [String: Int] = [:]
      private var downloads: [String: Task<Int, Never>] = [:]
      private(set) var downloadCount = 0

      func image(_ name: String) async -> Int {
        if let image = images[name] { return image }
        let image = await download()
        images[name] = image
        return image
      }

      func imageOfOneDownload(_ name: String) async -> Int {
        if let download = downloads[name] { return await download.value }
        let download = Task { await self.download() }
        downloads[name] = download
        return await download.value
      }

      private func download() async -> Int {
        downloadCount += 1
        await Task.yield()
        return downloadCount
      }
    }

    private actor Account {
      private(set) var balance = 0

      func set(_ balance: Int) { self.balance = balance }
      func deposit(_ amount: Int) { balance += amount }
    }

    private actor Pair {
      private var left = 2
      private var right = 2
      var isWhole: Bool { left + right == 4 }

      func move(inOneStep: Bool) async {
        left -= 1
        if !inOneStep { await Task.yield() }
        right += 1
      }
    }

    @MainActor private final class Search {
      private(set) var shown = ""
      private var query = ""

      nonisolated init() {}

      func search(_ text: String, checksQuery: Bool) async {
        query = text
        await Task.yield()
        if checksQuery, query != text { return }
        shown = text
      }
    }

    private static let checks = [
      PlantedTaskBug("a cache downloads twice", "Expectation: one download") { run, isRepaired in
        let cache = Cache()
        let image: @Sendable () async -> Int = {
          isRepaired ? await cache.imageOfOneDownload("a") : await cache.image("a")
        }
        run.inTasks(image, image)
        run.expect(run.task { await cache.downloadCount }.join() == 1, "one download")
      },
      PlantedTaskBug("an update between two calls is lost", "Expectation: both deposits") { run, isRepaired in
        let account = Account()
        let deposit: @Sendable () async -> Void = {
          if isRepaired { await account.deposit(1) } else { await account.set(await account.balance + 1) }
        }
        run.inTasks(deposit, deposit)
        run.expect(run.task { await account.balance }.join() == 2, "both deposits")
      },
      PlantedTaskBug("an invariant does not hold at an await", "Expectation: invariant") { run, isRepaired in
        let pair = Pair()
        let move = run.task { await pair.move(inOneStep: isRepaired) }
        run.expect(run.task { await pair.isWhole }.join(), "invariant")
        move.join()
      },
      PlantedTaskBug("an old search overwrites the new one", "Expectation: newest") { run, isRepaired in
        let search = Search()
        let old = run.task { @MainActor in
          let first = Task { await search.search("a", checksQuery: isRepaired) }
          await Task.yield()
          let second = Task { await search.search("ab", checksQuery: isRepaired) }
          await first.value
          await second.value
        }
        old.join()
        run.expect(run.task { await search.shown }.join() == "ab", "newest")
      },
    ]

    // MARK: Continuations

    private static func take<Value: Sendable>(_ protector: ExclusiveProtector<Value?>) -> Value? {
      protector.withLock { value in
        defer { value = nil }
        return value
      }
    }

    private static func peek<Value: Sendable>(_ protector: ExclusiveProtector<Value?>) -> Value? {
      protector.withLock { $0 }
    }

    private actor Gate {
      private var isOpen = false
      private var waiting: CheckedContinuation<Void, Never>?

      func pass(checks: Bool) async {
        if checks, isOpen { return }
        await withCheckedContinuation { waiting = $0 }
      }

      func open() {
        isOpen = true
        waiting?.resume()
        waiting = nil
      }
    }

    private static let continuations = [
      PlantedTaskBug("a gate that was opened before is waited for", "Deadlock: ") { run, isRepaired in
        let gate = Gate()
        let passing = run.task { await gate.pass(checks: isRepaired) }
        let opening = run.task { await gate.open() }
        opening.join()
        passing.join()
      },
      PlantedTaskBug("two callbacks resume one continuation", "Trap: ") { run, isRepaired in
        let waiting = ExclusiveProtector<CheckedContinuation<Void, Never>?>(nil)
        let task = run.task { await withCheckedContinuation { new in waiting.withLock { $0 = new } } }
        let call: @Sendable () async -> Void = { (isRepaired ? take(waiting) : peek(waiting))?.resume() }
        let answer = run.task {
          while peek(waiting) == nil { await Task.yield() }
          let timeout = run.task(call)
          await call()
          await timeout.value
        }
        answer.join()
        task.join()
      },
    ]

    // MARK: Cancellation

    /// An answer that never comes, so that only a cancellation can end a task's wait for it.
    private final class Answer: Sendable {
      private enum State: Sendable {
        case idle, cancelled
        case waiting(CheckedContinuation<Void, Never>)
      }
      private let state = ExclusiveProtector(State.idle)

      func wait(checksFlag: Bool) async {
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            let isCancelled = state.withLock { state in
              if checksFlag, case .cancelled = state { return true }
              state = .waiting(continuation)
              return false
            }
            if isCancelled { continuation.resume() }
          }
        } onCancel: {
          let waiting = state.withLock { state in
            defer { state = .cancelled }
            if case .waiting(let continuation) = state { return Optional(continuation) }
            return nil
          }
          waiting?.resume()
        }
      }

      func waitWithoutHandler() async {
        await withCheckedContinuation { continuation in state.withLock { $0 = .waiting(continuation) } }
      }
    }

    private static let cancellations = [
      PlantedTaskBug("a cancelled task goes on waiting", "Deadlock: ") { run, isRepaired in
        let answer = Answer()
        let task = run.task(mayBeCancelled: true) {
          if isRepaired { await answer.wait(checksFlag: true) } else { await answer.waitWithoutHandler() }
        }
        task.join()
      },
      PlantedTaskBug("a cancellation before the wait is lost", "Deadlock: ") { run, isRepaired in
        let answer = Answer()
        let task = run.task(mayBeCancelled: true) { await answer.wait(checksFlag: isRepaired) }
        task.join()
      },
      PlantedTaskBug("a timeout waits for the work that it gave up", "Deadlock: ") { run, isRepaired in
        let answer = Answer()
        let task = run.task {
          await withTaskGroup(of: Void.self) { group in
            group.addTask { await answer.wait(checksFlag: true) }
            group.addTask { try? await Task.sleep(for: .seconds(1)) }
            await group.next()
            if isRepaired { group.cancelAll() }
          }
        }
        task.join()
      },
    ]

    // MARK: Limits

    /// Lets one body run at a time, and makes the others wait; the mistake is that of SwiftPM's issue 10231.
    private final class Limiter: Sendable {
      private struct State: Sendable {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
      }
      private let state = ExclusiveProtector(State())
      /// Whether the limiter has the mistake.
      ///
      /// `end` then resumes a waiting body that does not count yet, and until the body counts itself, the
      /// limiter admits another one.
      private let countsAfterWaking: Bool

      init(countsAfterWaking: Bool) { self.countsAfterWaking = countsAfterWaking }

      func run(_ body: () async -> Void) async {
        await begin()
        await body()
        end()
      }

      private func begin() async {
        await withCheckedContinuation { new in
          let mayRun = state.withLock { state in
            if state.running < 1 {
              if !countsAfterWaking { state.running += 1 }
              return true
            }
            state.waiting.append(new)
            return false
          }
          if mayRun { new.resume() }
        }
        if countsAfterWaking { state.withLock { $0.running += 1 } }
      }

      private func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
          if countsAfterWaking || state.waiting.isEmpty { state.running -= 1 }
          return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
      }
    }

    private static let limiters = [
      PlantedTaskBug("a limiter exceeds its limit", "Expectation: at most 1 at a time") { run, isRepaired in
        let limiter = Limiter(countsAfterWaking: !isRepaired)
        let section = LimitedSection(run)
        let work: @Sendable () async -> Void = { await limiter.run { await section.body() } }
        run.inTasks(work, work)
      },
      PlantedTaskBug("a group starts all its children", "Expectation: two at a time") { run, isRepaired in
        let account = Account()
        let child: @Sendable () async -> Void = {
          await account.deposit(1)
          run.expect(await account.balance <= 2, "two at a time")
          await account.deposit(-1)
        }
        let task = run.task {
          await withTaskGroup(of: Void.self) { group in
            for index in 0..<3 {
              if isRepaired, index >= 2 { await group.next() }
              group.addTask(operation: child)
            }
          }
        }
        task.join()
      },
    ]

    // MARK: Orders

    private static let orders = [
      PlantedTaskBug("tasks start in another order than they are made", "Expectation: order") {
        run, isRepaired in
        let log = ExclusiveProtector<[Int]>([])
        let task = run.task {
          let first = Task { log.withLock { $0.append(1) } }
          if isRepaired { await first.value }
          let second = Task { log.withLock { $0.append(2) } }
          await first.value
          await second.value
        }
        task.join()
        run.expect(log.withLock { $0 } == [1, 2], "order")
      },
      PlantedTaskBug("a stream ends before its last element", "Expectation: both") { run, isRepaired in
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let one = run.task {
          continuation.yield(1)
          if !isRepaired { continuation.finish() }
        }
        let two = run.task { continuation.yield(2) }
        let reading = run.task { await stream.reduce(0, +) }
        one.join()
        two.join()
        if isRepaired { continuation.finish() }
        run.expect(reading.join() == 3, "both")
      },
    ]

    // MARK: Blocking

    private static func block(_ protector: ExclusiveProtector<Bool>) {
      protector.withLock(waitingUntil: { $0 }) { _ in }
    }

    private static let blockings = [
      PlantedTaskBug("the main actor is blocked", "Deadlock: ") { run, isRepaired in
        let isReady = ExclusiveProtector(false)
        let waiting = run.task { @MainActor in
          if isRepaired {
            _ = try? await isReady.withLock(waitingUntil: { $0 }) { _ in }
          } else {
            block(isReady)
          }
        }
        let working = run.task { @MainActor in isReady.withLock { $0 = true } }
        working.join()
        waiting.join()
      },
      PlantedTaskBug("a task blocks the only thread of the pool", "Deadlock: ", poolThreads: 1) {
        run, isRepaired in
        let isReady = ExclusiveProtector(false)
        let waiting = run.task {
          if isRepaired {
            _ = try? await isReady.withLock(waitingUntil: { $0 }) { _ in }
          } else {
            block(isReady)
          }
        }
        let working = run.task { isReady.withLock { $0 = true } }
        working.join()
        waiting.join()
      },
    ]

    // MARK: Leaks

    private final class Player: Sendable {
      private let task = ExclusiveProtector<Task<Void, Never>?>(nil)

      func start(_ stream: AsyncStream<Int>, isWeak: Bool) {
        let new =
          isWeak
          ? Task { [weak self] in for await number in stream { self?.play(number) } }
          : Task { for await number in stream { self.play(number) } }
        task.withLock { $0 = new }
      }

      private func play(_ number: Int) {}
    }

    private static let leaks = [
      PlantedTaskBug("a task keeps its owner for ever", "Expectation: Player was not freed") {
        run, isRepaired in
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let player = Player()
        run.expectFreed(player)
        player.start(stream, isWeak: isRepaired)
        continuation.yield(1)
      }
    ]
  }

  /// Tests that explorations find the planted mistakes, and pass the repaired code.
  @Suite(.serialized) struct PlantedTaskBugTests {
    @Test func thereAreTwenty() { #expect(PlantedTaskBug.all.count >= 20) }

    @Test func theDoubleDownloadIsFoundByDefault() throws {
      let found = try failure(limits: ExplorationLimits()) { PlantedTaskBug.all[0].body($0, false) }
      #expect(found.reason == "Expectation: one download.")
      #expect(found.executions < 100)
    }

    @Test(arguments: PlantedTaskBug.all)
    func aMistakeIsFoundAgainFromItsSeedAndItsSchedule(bug: PlantedTaskBug) throws {
      let random = ExplorationStrategy.random(executions: 10_000, seed: 7)
      let found = try failure(random, limits: bug.limits) { bug.body($0, false) }
      print("found \(bug.name): \(found.executions) executions, \(found.steps.count) steps")
      #expect(found.reason.hasPrefix(bug.reason))
      let again = try failure(random, limits: bug.limits) { bug.body($0, false) }
      #expect(again.executions == found.executions)
      let replayed = try failure(.replay(found.replay), limits: bug.limits) { bug.body($0, false) }
      #expect(replayed.reason == found.reason)
      #expect(replayed.steps.count == found.steps.count)
    }

    /// The limit is that of a call without limits.
    @Test(arguments: PlantedTaskBug.all)
    func aMistakeIsFoundByDefault(bug: PlantedTaskBug) throws {
      let found = try failure(limits: bug.limits) { bug.body($0, false) }
      print("found by default, \(bug.name): \(found.executions) executions")
      #expect(found.reason.hasPrefix(bug.reason))
    }

    @Test(arguments: PlantedTaskBug.all)
    func repairedCodePasses(bug: PlantedTaskBug) throws {
      var limits = bug.limits
      limits.duration = .seconds(1)
      limits.acceptsUnfinishedSearch = true
      let summary = try explore(limits: limits) { bug.body($0, true) }
      print("repaired \(bug.name): \(summary)")
      #expect(summary.isExhaustive || summary.reachedLimit || summary.hasUndividedSteps)
    }
  }
#endif
