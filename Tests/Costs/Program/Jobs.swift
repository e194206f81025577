import Counters
import Interlock

private final class Thermometer: Activatable {
  private let lifecycle = Lifecycle()

  init(_ configuration: Int) {}
  func activate() { lifecycle.activate() }
  func invalidate() { lifecycle.invalidate() }
}

private final class Suspending: Activatable {
  private let lifecycle = Lifecycle()

  init(_ configuration: Int) {}
  func activate() { lifecycle.activate() }
  func invalidate() { lifecycle.invalidate() }
  func invalidate(isolation: isolated (any Actor)? = #isolation) async { await lifecycle.invalidate() }
}

private final class Observer: Sendable {}

private final class BoxedOnce: Sendable {
  let once = Once()
}

private actor Receiver {
  var sum = 0
  func receive(_ number: Int) { sum += number }
}

func lifecycleScenarios() {
  scenario("Lifecycle: 100 deliveries") { costs in
    let lifecycle = Lifecycle()
    lifecycle.activate()
    costs.of { for _ in 0..<100 { lifecycle.whileActive {} } }
    lifecycle.invalidate()
  }
  scenario("Lifecycle: activated and invalidated, without deliveries") { costs in
    costs.of {
      let lifecycle = Lifecycle()
      lifecycle.activate()
      lifecycle.invalidate()
    }
  }
  scenario("Lifecycle: a thread invalidates it during a delivery") { costs in
    let lifecycle = Lifecycle()
    lifecycle.activate()
    let crew = Crew(1) { _ in lifecycle.invalidate() }
    costs.of {
      lifecycle.whileActive { crew.go() }
      crew.join()
    }
  }
  scenario("Lifecycle: a task invalidates it during a delivery") { costs in
    let lifecycle = Lifecycle()
    lifecycle.activate()
    costs.of {
      lifecycle.whileActive { tasks(1) { _ in await lifecycle.invalidate() } }
      costs_run_jobs()
    }
  }
  scenario("Activation: a task invalidates an object with an asynchronous invalidation") { costs in
    costs.of {
      tasks(1) { _ in
        let activation = Setup<Suspending>(0).activate()
        await activation.invalidate()
      }
    }
  }
  scenario(
    "Activation: a task invalidates an object without an asynchronous invalidation", [.allocations: .no]
  ) {
    costs in
    let hasEnded = LockFreeProperty(false)
    costs.of {
      tasks(1) { _ in
        let activation = Setup<Thermometer>(0).activate()
        await activation.invalidate()
        hasEnded.store(true, ordering: .relaxed)
      }
      runJobs { hasEnded.load(ordering: .relaxed) }
    }
  }
}

/// Runs jobs, which threads of the package may enqueue, until a task has ended.
private func runJobs(until isOver: () -> Bool) {
  while true {
    costs_run_jobs()
    if isOver() { return }
    costs_sleep(100)
  }
}

func initializationScenarios() {
  scenario("Once, OnceCell, Lazy: 100 uses of a complete one") { costs in
    let (once, cell, lazy) = (BoxedOnce(), BoxedCell(), Lazy { 1 })
    once.once.run {}
    _ = cell.cell.value { 1 }
    _ = lazy.value
    costs.of {
      for _ in 0..<100 {
        once.once.run {}
        _ = cell.cell.value
        _ = lazy.value
      }
    }
  }
  for count in [1, 10, 100] {
    scenario("Once: \(count) threads wait for the body") { costs in
      let once = BoxedOnce()
      let crew = Crew(count) { _ in once.once.run {} }
      costs.of(passes: count) {
        once.once.run { crew.go() }
        crew.join()
      }
    }
  }
}

func observerScenarios() {
  for count in [1, 100] {
    scenario("WeakObservers: \(count) of them are called") { costs in
      let observers = WeakObservers<Observer>()
      let all = (0..<count).map { _ in Observer() }
      for observer in all { observers.add(whileAlive: observer) }
      costs.of(passes: count) { observers.forEach { _ in } }
    }
  }
  for count in [1, 100, 10_000] {
    scenario("OrderedDelivery: \(count) elements in a burst") { costs in
      let receiver = Receiver()
      let delivery = OrderedDelivery<Int>(to: receiver) { $0.receive($1) }
      costs.of(passes: count) {
        for number in 0..<count { _ = delivery.post(number) }
        costs_run_jobs()
      }
      delivery.finish()
      costs_run_jobs()
    }
  }
  scenario("AtomicProperty, LockFreeProperty: 100 updates") { costs in
    let (property, lockFree) = (AtomicProperty(0), LockFreeProperty(0))
    costs.of {
      for _ in 0..<100 {
        property.update { $0 += 1 }
        lockFree.wrappingAdd(1, ordering: .relaxed)
      }
    }
  }
  scenario("Snapshot: 100 reads") { costs in
    let snapshot = Snapshot([1])
    costs.of { for _ in 0..<100 { snapshot.withCurrent { _ in } } }
  }
}

func jobScenarios() {
  for capacity in [1, 64] {
    scenario("Mailbox(capacity: \(capacity)): 100 elements") { costs in
      let mailbox = Mailbox<Int>(capacity: capacity)
      costs.of {
        tasks(1) { _ in
          for number in 0..<100 { _ = try? await mailbox.send(number) }
          mailbox.finish()
        }
        tasks(1) { _ in while (try? await mailbox.receive()) != nil {} }
      }
    }
  }
  for count in [1, 100, 10_000] {
    scenario("AsyncQueue: \(count) items in turn") { costs in
      let queue = AsyncQueue()
      costs.of(passes: count) {
        for _ in 0..<count { _ = queue.add {} }
        costs_run_jobs()
      }
      tasks(1) { _ in await queue.finish() }
    }
  }
  scenario("withThreads: 4 threads") { costs in
    costs.of { withThreads(4) { _ in } }
  }
  scenario("RateLimiter: 100 permits that are free") { costs in
    let limiter = RateLimiter(1_000, per: .milliseconds(1), burst: 200)
    costs.of { for _ in 0..<100 { _ = limiter.takePermitIfAvailable() } }
  }
  for count in [1, 100, 1_000] {
    scenario("RateLimiter: a call gives up beside \(count) waiting threads", steps: true) { costs in
      let clock = SteppedClock()
      let limiter = RateLimiter(1, per: .milliseconds(100), clock: clock)
      _ = limiter.takePermitIfAvailable()
      let crew = Crew(count) { _ in takePermit(limiter) }
      crew.go()
      costs.of(passes: count) { tryTakingPermit(limiter) }
      // The first thread looks at the clock again after the time of a permit.
      clock.step()
      crew.join()
    }
  }
}

/// A clock that stands still but for one step, which is longer than all waits.
private final class SteppedClock: Clock {
  struct Instant: InstantProtocol {
    let offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private let hasStepped = LockFreeProperty(false)

  var now: Instant { Instant(offset: hasStepped.load(ordering: .relaxed) ? .seconds(1_000) : .zero) }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
  func step() { hasStepped.store(true, ordering: .relaxed) }
}

// The forms of threads, which asynchronous code must not call.
private func takePermit(_ limiter: RateLimiter) { limiter.takePermit() }
private func tryTakingPermit(_ limiter: RateLimiter) { try? limiter.takePermit(timeout: .zero) }

func timerScenarios() {
  let mutex = AsyncMutex(0)
  let gate = Gate()
  tasks(1) { _ in await mutex.withLock { _ in await gate.wait() } }
  tasks(1) { _ in await lock(mutex, for: .seconds(3600)) }
  costs_wait_until_others_sleep()
  // The timer's thread sleeps until an earlier deadline, so none of these wakes it.
  scenario("withTimeout: in time") { costs in
    costs.of { tasks(1) { _ in try? await withTimeout(.seconds(7200)) { try Task.checkCancellation() } } }
  }
  // Its heap grows.
  for count in [1, 100, 10_000] {
    scenario("AsyncMutex: \(count) tasks get the lock in turn before their timeouts") { costs in
      let (mutex, gate) = (AsyncMutex(0), Gate())
      tasks(1) { _ in await mutex.withLock { _ in await gate.wait() } }
      costs.of(passes: count) {
        tasks(count) { _ in await lock(mutex, for: .seconds(7200)) }
        gate.open()
        costs_run_jobs()
      }
    }
  }
  // Each of them is over before the next begins, with more time in between than the timer's guard looks for.
  scenario(
    "AsyncMutex: 10 timeouts, one after another, beside a far one",
    [.threads: .atMost(2), .sleeps: .no, .wakeUps: .no, .wokenTogether: .no, .allocations: .no]
  ) { costs in
    costs.of {
      for _ in 0..<10 {
        let isOver = LockFreeProperty(false)
        tasks(1) { _ in
          await lock(mutex, for: .microseconds(100))
          isOver.store(true, ordering: .relaxed)
        }
        runJobs { isOver.load(ordering: .relaxed) }
        costs_sleep(12_000)
      }
    }
  }
  gate.open()
  costs_run_jobs()
}

func publicationScenarios() {
  // The thread that frees values wakes up as time passes, and allocates then. If it runs late, it gets a guard.
  scenario(
    "Snapshot: 100 publications",
    [
      .threads: .atMost(2), .sleeps: .no, .wakeUps: .no, .wokenTogether: .no, .calls: .no,
      .allocations: .atMost(110),
    ]
  ) { costs in
    let snapshot = Snapshot(0)
    costs_count_own_allocations(1)
    costs.of { for number in 0..<100 { snapshot.publish(number) } }
    costs_count_own_allocations(0)
  }
}
