internal import AsyncLocks
public import InterlockCore
internal import Protectors
internal import UnfairLocks

/// A limit on how often tasks and threads do something: a token bucket.
///
/// ```swift
/// let limiter = RateLimiter(10, per: .seconds(1))
///
/// try await limiter.takePermit()                              // throws if the task is cancelled while it waits
/// ```
///
/// The limiter makes permits at a constant rate, and keeps those that nobody takes, up to `burst`, and one for each call
/// that waits. So a call that runs late costs no permit. In any period, it gives at most as many as it makes in that
/// period, `burst` more, and those that were made for calls before it and are taken late.
///
/// # The bug it prevents
/// A loop that sleeps and then looks at a shared time lets all callers go on together. A time that each
/// caller reserves is lost when the caller is cancelled, and those behind it wait for nothing:
///
/// ```swift
/// let start = next.withLock { next in
///   defer { next += .milliseconds(100) }
///   return next
/// }
/// try await Task.sleep(until: start, clock: .continuous)      // cancelled: nobody gets this time
/// ```
///
/// - **Fairness**: tasks are served in the order in which they begin to wait, and so are threads. Where both
///   wait, the first task has one place among the threads, in the order of arrival. If it runs late by more than
///   the time of a permit, a thread overtakes it, and it takes the next one.
/// - **Blocking**: a waiting task is suspended, and blocks no thread. A thread waits for no task: if the
///   first task runs late, the thread behind it goes on at its own time.
/// - **Cancellation**: a task that is cancelled, even before the call, takes a permit that is free. Where it would wait,
///   it throws `CancellationError` and takes none. Those behind it get theirs earlier. Only a task behind threads that
///   give up sleeps to the time that it had before.
/// - **Clock**: tasks sleep on the given clock. Threads sleep on the monotonic clock for the time that the
///   given one says is left, and then look again. Where the clock jumps back, the rate goes on from there; only a task
///   that sleeps on it then, and those behind it, wait for the end of that sleep.
/// - **Misuse that traps**: a count or a burst of less than 1, a period that is not positive, or one of them too
///   great; a negative timeout.
/// - **Deadlocks it permits**: a first task whose executor is blocked until another task has a permit. A clock that
///   stands still ends no wait.
/// - **Complexity**: O(1) for each call, whatever waits beside it; a permit wakes one thread more.
/// - **Memory**: three objects, and two closures; two objects for each waiting thread. Of a wait that was cancelled
///   nothing is left with a `SuspendingClock`; with a `ContinuousClock`, Swift's runtime keeps 700 bytes until the time
///   of the permit.
public final class RateLimiter: Sendable {
  private let line: ExclusiveProtector<Line>
  /// Admits the first waiting task to the line.
  let tasks = AsyncSemaphore(permits: 1)
  private let primitive: Primitive
  /// The time since the limiter was made.
  private let now: @Sendable () -> Duration
  private let sleep: @Sendable (_ end: Duration) async throws -> Void

  /// Creates a limiter that has `burst` permits.
  ///
  /// - Parameters:
  ///   - count: The number of permits that it makes in each period; at least 1, otherwise it traps.
  ///   - period: The period, at most 68 years, otherwise it traps. Each permit takes an equal part of it, and it
  ///     traps if that part is no attosecond.
  ///   - burst: The number of permits that it keeps, from 1 to `Int32.max`; otherwise it traps.
  ///   - clock: The clock that measures the period; by default that of all timeouts of this package. The `sleep` of
  ///     another one must end when it is cancelled.
  ///   - label: The limiter's name in traps with the trait `DeadlockDetection`; without the trait it costs
  ///     nothing.
  ///   - file: The file in reports of `DeadlockDetection`.
  ///   - line: The line in those reports.
  public init<C: Clock<Duration>>(
    _ count: Int, per period: Duration, burst: Int = 1, clock: C = SuspendingClock(),
    label: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    primitive = Primitive(.rateLimiter, label, file, line)
    // The greatest values keep all products below what a `Duration` can represent.
    guard count > 0, (1...Int(Int32.max)).contains(burst), period / max(count, 1) > .zero,
      period <= .seconds(Int32.max)
    else {
      misuse(
        primitive, "made for \(count) permits per \(text(of: period)), with a burst of \(burst)",
        "pass a count of at least 1, a burst of 1 to \(Int32.max), and a period of at most 68 years, "
          + "in which each permit gets an attosecond or more"
      )
    }
    self.line = ExclusiveProtector(
      Line(interval: period / count, burst: burst), label: label, file: file, line: line)
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleepOrForget(until: start.advanced(by: $0)) }
  }

  /// Takes a permit, which is not given back; waits for it, unless the task is cancelled.
  ///
  /// Suspends the task while there is no permit. A task that is already cancelled takes one that is free, and throws
  /// only where it would wait.
  ///
  /// - **Wait**: it ends when a permit is due; a task that is cancelled before or while it waits throws; no
  ///   timeout; first come, first served; no priority is lent; its throw takes no permit.
  ///
  /// - Parameter isolation: The caller's isolation.
  /// - Throws: `CancellationError`, or another error with which the clock ends the sleep of a cancelled task. No permit
  ///   was taken then.
  public func takePermit(isolation: isolated (any Actor)? = #isolation) async throws {
    if withLine({ $0.arrive(at: $1) }) { return }
    var isFirst = false
    do {
      try await tasks.withPermitUnlessCancelled {
        line.withLock { $0.joinAsTask() }
        isFirst = true
        while let due = withLine({ $0.takeAsTask(at: $1) }) {
          try await sleep(due)
          // A clock need not throw when its sleep is cancelled.
          try Task.checkCancellation()
        }
      }
    } catch {
      line.withLock { $0.endAsTask(isFirst: isFirst) }?.look()
      throw error
    }
  }

  /// Takes a permit, which is not given back, and waits for it.
  ///
  /// Blocks the thread while there is no permit.
  ///
  /// - **Wait**: it ends when a permit is due; cancellation has no effect; no timeout; first come, first served; no
  ///   priority is lent; it throws nothing.
  @available(
    *, noasync,
    message:
      "it blocks the thread; write 'try await limiter.takePermit()', or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  public func takePermit() {
    _ = takePermit(until: .never)
  }

  /// Takes a permit, if there is one within `timeout`.
  ///
  /// Blocks the thread while there is no permit.
  ///
  /// - **Wait**: it ends when a permit is due; cancellation has no effect; `timeout` limits it; first come, first
  ///   served; no priority is lent; its throw takes no permit.
  ///
  /// - Parameter timeout: The maximum time to wait, on the monotonic clock. `.zero` tries once. A negative
  ///   timeout traps. A timeout that the clock can't represent waits forever.
  /// - Throws: `TimeoutError` if the time passed first. No permit was taken then.
  @available(
    *, noasync,
    message:
      "it blocks the thread; write 'try await limiter.takePermit()', or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  public func takePermit(timeout: Duration) throws(TimeoutError) {
    let deadline = Timeout(timeout, for: primitive).deadlineFromNow()
    if !takePermit(until: deadline) { throw TimeoutError(primitive, of: self) }
  }

  /// Takes a permit, if there is one and nothing waits for it; it never waits.
  ///
  /// - Returns: Whether a permit was taken.
  public func takePermitIfAvailable() -> Bool {
    withLine { $0.takeIfAvailable(at: $1) }
  }

  /// The number of threads that wait, and of the first task, for tests.
  var placeCount: Int { line.withLock { $0.count } }

  /// Runs `body` with the line and the time of the clock, which may be the program's, and is read outside the lock.
  private func withLine<R: Sendable>(_ body: (inout Line, _ time: Duration) -> R) -> R {
    var reading: UInt64?
    while true {
      let time = now()
      let result = line.withLock { line -> R? in
        line.accepts(time, after: &reading) ? .some(body(&line, time)) : .none
      }
      if let result { return result }
    }
  }

  private func takePermit(until deadline: Deadline) -> Bool {
    if withLine({ $0.arrive(at: $1) }) { return true }
    let own = line.withLock { $0.join() }
    while true {
      let (others, turn) = withLine { ($0.serve(at: $1), $0.turn(of: own)) }
      for other in others where other !== own { other.look() }
      if turn == .served { return true }
      if deadline.hasPassed {
        line.withLock { $0.end(own) }?.look()
        return false
      }
      var timeout = Duration.nanoseconds(
        Int64(clamping: deadline.nanoseconds - min(deadline.nanoseconds, Deadline.now)))
      if case .first(let due) = turn { timeout = max(.zero, min(due - now(), timeout)) }
      own.sleep(for: timeout)
    }
  }
}

/// A thread that waits for a permit.
private final class WaitingThread: Sendable {
  /// Its place in the order of arrival.
  let place: Int
  private let mayLook = ExclusiveProtector(false)

  init(place: Int) { self.place = place }

  /// Ends the thread's sleep, or its next one.
  func look() { mayLook.withLock { $0 = true } }

  func sleep(for timeout: Duration) {
    try? mayLook.withLock(waitingUntil: { $0 }, timeout: timeout) { $0 = false }
  }
}

/// Those that wait, and the time of the next permit.
///
/// # Invariants
/// 1. The permits that can be taken at the time *t* are those of the times `next`, `next` and an interval, and so
///    on, that are not later than *t*. When a call begins, there are at most `burst`, and one for each call that waits:
///    `arrive` drops earlier ones. So a call that waits keeps its permit, however late it runs, and no more.
/// 2. Of the threads only the first sleeps until its permit is due; whatever makes a thread the first, or its permit due
///    earlier, lets that thread look. The others sleep until they look. Each thread that looks serves all threads whose
///    permits are due.
/// 3. The task takes none of the permits of the threads before it, nor the first thread that of a task before it. So a
///    thread overtakes the task only if that comes an interval too late, and neither waits for the other's being awake.
/// 4. If something before it is served, the task or the first thread stays due at the same time. If that leaves without
///    a permit, it is due an interval earlier. The task, which sleeps on its own clock, does not wake then, and
///    may be served up to that interval late.
/// 5. A time earlier than the `latest` one comes from a thread that has read the clock earlier, or from a clock that has
///    jumped back. It is the clock if no other time was accepted since a moment before the reading. Then `next` jumps,
///    too.
private struct Line: Sendable {
  private let interval: Duration
  private let burst: Int
  private var next: Duration
  private var latest = Duration.zero
  /// The number of accepted times.
  private var readings: UInt64 = 0
  /// The number of calls that wait, whether they have a place or wait for one.
  private var waiting = 0
  private var threads: [Int: WaitingThread] = [:]
  private var lastPlace = 0
  /// The place of the first thread, if a thread waits.
  private var firstPlace = 0
  private var task: (place: Int, threadsBefore: Int)?

  init(interval: Duration, burst: Int) {
    self.interval = interval
    self.burst = burst
    next = .zero - interval * (burst - 1)
  }

  /// The number of places.
  var count: Int { threads.count + (task == nil ? 0 : 1) }

  /// Returns whether the caller may use a time; if not, it must read the clock again.
  mutating func accepts(_ time: Duration, after reading: inout UInt64?) -> Bool {
    if time < latest {
      if reading != readings {
        reading = readings
        return false
      }
      next -= latest - time
    }
    latest = time
    readings += 1
    return true
  }

  /// Begins a call: takes a permit if there is one and nothing waits for it; otherwise the call waits from now on.
  mutating func arrive(at now: Duration) -> Bool {
    if takeIfAvailable(at: now) { return true }
    waiting += 1
    return false
  }

  mutating func takeIfAvailable(at now: Duration) -> Bool {
    next = max(next, now - interval * (waiting + burst - 1))
    guard waiting == 0, next <= now else { return false }
    next += interval
    return true
  }

  // MARK: Threads

  mutating func join() -> WaitingThread {
    lastPlace += 1
    let thread = WaitingThread(place: lastPlace)
    if threads.isEmpty { firstPlace = lastPlace }
    threads[lastPlace] = thread
    return thread
  }

  enum Turn: Equatable {
    case served, waits
    case first(due: Duration)
  }

  func turn(of thread: WaitingThread) -> Turn {
    guard threads[thread.place] != nil else { return .served }
    return thread.place == firstPlace ? .first(due: dueOfFirstThread) : .waits
  }

  private var dueOfFirstThread: Duration { next + (task?.threadsBefore == 0 ? interval : .zero) }

  /// Gives permits to the threads whose permits are due.
  ///
  /// - Returns: The threads that the caller must let look: those, and the one that is then the first.
  mutating func serve(at now: Duration) -> [WaitingThread] {
    var looking: [WaitingThread] = []
    while let first = threads[firstPlace], dueOfFirstThread <= now {
      next += interval
      remove(first)
      looking.append(first)
    }
    if !looking.isEmpty, let first = threads[firstPlace] { looking.append(first) }
    return looking
  }

  /// Ends the wait of a thread without a permit.
  ///
  /// - Returns: The thread that the caller must let look.
  mutating func end(_ thread: WaitingThread) -> WaitingThread? {
    let wasFirst = thread.place == firstPlace
    remove(thread)
    return wasFirst ? threads[firstPlace] : nil
  }

  private mutating func remove(_ thread: WaitingThread) {
    threads[thread.place] = nil
    if let task, thread.place < task.place { self.task!.threadsBefore -= 1 }
    waiting -= 1
    while !threads.isEmpty, threads[firstPlace] == nil { firstPlace += 1 }
  }

  // MARK: The first task

  mutating func joinAsTask() {
    lastPlace += 1
    task = (lastPlace, threads.count)
  }

  /// Takes a permit; returns the time at which to try again if it is too early.
  mutating func takeAsTask(at now: Duration) -> Duration? {
    let due = next + interval * task!.threadsBefore
    if now < due { return due }
    next += interval
    _ = endAsTask(isFirst: true)
    return nil
  }

  /// Ends the wait of a task, which is the first one or waits to become it.
  ///
  /// - Returns: The thread that the caller must let look if no permit was taken.
  mutating func endAsTask(isFirst: Bool) -> WaitingThread? {
    waiting -= 1
    guard isFirst else { return nil }
    task = nil
    return threads[firstPlace]
  }
}

extension PrimitiveKind {
  static var rateLimiter: PrimitiveKind { PrimitiveKind("RateLimiter", .grantsPermits) }
}
