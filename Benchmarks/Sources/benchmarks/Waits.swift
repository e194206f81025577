internal import BenchmarkHarness
internal import Dispatch
// Imported for `NSCondition` and the functions of pthreads only.
internal import Foundation
internal import Protectors
internal import ReadWriteLocks
internal import Synchronization
internal import UnfairLocks

/// Lets two threads take turns.
protocol TurnTaking: Sendable {
  /// Waits until it is the turn of `player`, 0 or 1, and passes the turn to the other player.
  ///
  /// Player 0 begins.
  func takeTurn(_ player: Int)
}

/// A queue of at most `Ring.capacity` elements.
protocol BoundedQueue: Sendable {
  /// Waits while the queue is full, and then adds an element.
  func push(_ element: Int)

  /// Waits while the queue is empty, and then removes and returns the oldest element.
  func pop() -> Int
}

/// A number that some threads write while another thread waits for a value that never comes.
protocol VainWaiting: Sendable {
  /// Waits until the number is negative, for at most `nanoseconds`.
  ///
  /// The number is never negative, so the wait always times out.
  func waitInVain(nanoseconds: UInt64)

  /// Changes the number, and makes waiting threads check the new number.
  func write()
}

/// Makes contestants whose threads repeatedly hand a turn or an element to one another.
///
/// The harness runs each contestant on one worker. The worker runs a batch on the threads of `crew`, and
/// waits until all of them have finished, so that no thread waits for a partner that has already stopped.
enum HandOffTrial {
  /// The threads that run the batches of all trials; only one trial runs at a time.
  private static let crew = WorkerPool(count: 8)

  /// Makes a contestant of two threads that take turns; an operation is a turn.
  static func pingPong(_ name: String, _ turns: some TurnTaking) -> Contestant {
    Contestant(name: name) { _, count in
      crew.run(on: 2) { player in
        for _ in 0..<(count / 2) { turns.takeTurn(player) }
      }
      return count
    }
  }

  /// Makes a contestant of `pairs` producers and `pairs` consumers with a bounded queue.
  ///
  /// An operation is an element that passes through the queue. `pairs` must be at most 4, because `crew` has
  /// eight threads.
  static func queue(_ name: String, _ queue: some BoundedQueue, pairs: Int) -> Contestant {
    let pushed = IsolatedBox(Atomic(0))
    let popped = IsolatedBox(Atomic(0))
    return Contestant(
      name: name,
      batch: { _, count in
        let share = count / pairs
        crew.run(on: pairs * 2) { worker in
          var sum = 0
          if worker < pairs {
            for element in 0..<share {
              queue.push(element &+ worker)
              sum &+= element &+ worker
            }
            pushed.pointer.pointee.wrappingAdd(sum, ordering: .relaxed)
          } else {
            for _ in 0..<share { sum &+= queue.pop() }
            popped.pointer.pointee.wrappingAdd(sum, ordering: .relaxed)
          }
        }
        return count
      },
      audit: {
        let sums = [pushed, popped].map { $0.pointer.pointee.load(ordering: .relaxed) }
        return sums[0] == sums[1] ? nil : "the elements that came out are not those that went in"
      })
  }
}

/// Measures how late a timed wait returns while other threads write.
///
/// Worker 0 waits for a condition that never holds, and the other workers write.
enum TimeoutTrial {
  /// The timeout of a wait, in nanoseconds.
  private static let limit: UInt64 = 200_000

  static func contestant(_ name: String, _ subject: some VainWaiting) -> Contestant {
    // Only worker 0 changes the delays. Other threads read them only after the workers have finished.
    let delays = IsolatedBox<[Int]>([])
    return Contestant(
      name: name,
      batch: { worker, count in
        guard worker == 0 else {
          for _ in 0..<count { subject.write() }
          // The harness interprets a batch's result as a delay. A writer measures no delay.
          return 0
        }
        let start = SystemInstruments.now()
        subject.waitInVain(nanoseconds: limit)
        let delay = Int(SystemInstruments.now() - start) - Int(limit)
        delays.pointer.pointee.append(delay)
        return delay
      }, samples: { delays.pointer.pointee })
  }
}

/// The elements of a bounded queue in a ring buffer, without locking.
struct Ring: Sendable {
  static let capacity = 64

  private var places = [Int](repeating: 0, count: capacity)
  private var pushed = 0
  private var popped = 0

  var isEmpty: Bool { pushed == popped }
  var isFull: Bool { pushed - popped == Self.capacity }

  /// Adds an element; the ring must not be full, or its oldest element is overwritten.
  mutating func push(_ element: Int) {
    places[pushed % Self.capacity] = element
    pushed += 1
  }

  /// Removes and returns the oldest element; the ring must not be empty, which is not checked.
  mutating func pop() -> Int {
    defer { popped += 1 }
    return places[popped % Self.capacity]
  }
}

// MARK: With a protector

/// A protector that holds the number of the player whose turn it is.
struct TurnsOfProtector: TurnTaking {
  let turn = Protector(0)

  func takeTurn(_ player: Int) {
    turn.withWriteLock(waitingUntil: { $0 == player }) { $0 = 1 - player }
  }
}

struct QueueOfProtector: BoundedQueue {
  let ring = Protector(Ring())

  func push(_ element: Int) {
    ring.withWriteLock(waitingUntil: { !$0.isFull }) { $0.push(element) }
  }

  func pop() -> Int {
    ring.withWriteLock(waitingUntil: { !$0.isEmpty }) { $0.pop() }
  }
}

struct NumberOfProtector: VainWaiting {
  let number = Protector(0)

  func waitInVain(nanoseconds: UInt64) {
    let limit = Duration.nanoseconds(Int64(nanoseconds))
    _ = try? number.withWriteLock(waitingUntil: { $0 < 0 }, timeout: limit) { _ in }
  }

  func write() {
    number.withWriteLock { $0 = ($0 + 1) & 0xFFFF }
  }
}

// MARK: With an exclusive protector

/// An exclusive protector that holds the number of the player whose turn it is.
struct TurnsOfExclusiveProtector: TurnTaking {
  let turn = ExclusiveProtector(0)

  func takeTurn(_ player: Int) {
    turn.withLock(waitingUntil: { $0 == player }) { $0 = 1 - player }
  }
}

struct QueueOfExclusiveProtector: BoundedQueue {
  let ring = ExclusiveProtector(Ring())

  func push(_ element: Int) {
    ring.withLock(waitingUntil: { !$0.isFull }) { $0.push(element) }
  }

  func pop() -> Int {
    ring.withLock(waitingUntil: { !$0.isEmpty }) { $0.pop() }
  }
}

struct NumberOfExclusiveProtector: VainWaiting {
  let number = ExclusiveProtector(0)

  func waitInVain(nanoseconds: UInt64) {
    let limit = Duration.nanoseconds(Int64(nanoseconds))
    _ = try? number.withLock(waitingUntil: { $0 < 0 }, timeout: limit) { _ in }
  }

  func write() {
    number.withLock { $0 = ($0 + 1) & 0xFFFF }
  }
}

// MARK: With pthreads
// In the following classes, a field with `@exclusivity(unchecked)` is used only while the mutex or the
// condition is locked, so accesses can't overlap. This also makes the class's `@unchecked Sendable` sound.

/// A `pthread_mutex_t` with default attributes, and two `pthread_cond_t`.
final class PthreadConditions: @unchecked Sendable {
  // `@unchecked Sendable` is sound: the pointers never change, and any thread may use what they point to.
  let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  let conditions = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 2)

  init() {
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    for index in 0..<2 {
      (conditions + index).initialize(to: pthread_cond_t())
      pthread_cond_init(conditions + index, nil)
    }
  }

  deinit {
    for index in 0..<2 { pthread_cond_destroy(conditions + index) }
    conditions.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }
}

final class TurnsOfPthread: TurnTaking, @unchecked Sendable {
  private let primitives = PthreadConditions()
  @exclusivity(unchecked) private var turn = 0

  func takeTurn(_ player: Int) {
    pthread_mutex_lock(primitives.mutex)
    while turn != player { pthread_cond_wait(primitives.conditions + player, primitives.mutex) }
    turn = 1 - player
    pthread_mutex_unlock(primitives.mutex)
    pthread_cond_signal(primitives.conditions + (1 - player))
  }
}

final class QueueOfPthread: BoundedQueue, @unchecked Sendable {
  private let primitives = PthreadConditions()
  @exclusivity(unchecked) private var ring = Ring()

  private var notEmpty: UnsafeMutablePointer<pthread_cond_t> { primitives.conditions }
  private var notFull: UnsafeMutablePointer<pthread_cond_t> { primitives.conditions + 1 }

  func push(_ element: Int) {
    pthread_mutex_lock(primitives.mutex)
    while ring.isFull { pthread_cond_wait(notFull, primitives.mutex) }
    ring.push(element)
    pthread_mutex_unlock(primitives.mutex)
    pthread_cond_signal(notEmpty)
  }

  func pop() -> Int {
    pthread_mutex_lock(primitives.mutex)
    while ring.isEmpty { pthread_cond_wait(notEmpty, primitives.mutex) }
    let element = ring.pop()
    pthread_mutex_unlock(primitives.mutex)
    pthread_cond_signal(notFull)
    return element
  }
}

final class NumberOfPthread: VainWaiting, @unchecked Sendable {
  private let primitives = PthreadConditions()
  @exclusivity(unchecked) private var number = 0

  func waitInVain(nanoseconds: UInt64) {
    // The deadline is a time of the real-time clock, which `pthread_cond_timedwait` uses by default.
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_nsec += Int(nanoseconds)
    end.tv_sec += end.tv_nsec / 1_000_000_000
    end.tv_nsec %= 1_000_000_000
    pthread_mutex_lock(primitives.mutex)
    while number >= 0, pthread_cond_timedwait(primitives.conditions, primitives.mutex, &end) == 0 {}
    pthread_mutex_unlock(primitives.mutex)
  }

  func write() {
    pthread_mutex_lock(primitives.mutex)
    number = (number + 1) & 0xFFFF
    pthread_mutex_unlock(primitives.mutex)
    pthread_cond_broadcast(primitives.conditions)
  }
}

// MARK: With semaphores

struct TurnsOfSemaphores: TurnTaking {
  private let semaphores = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]

  init() {
    semaphores[0].signal()
  }

  func takeTurn(_ player: Int) {
    semaphores[player].wait()
    semaphores[1 - player].signal()
  }
}

// The semaphores count the elements and the free places. The mutex guards the ring buffer.
final class QueueOfSemaphores: BoundedQueue, @unchecked Sendable {
  private let elements = DispatchSemaphore(value: 0)
  private let places = DispatchSemaphore(value: 0)
  private let mutex = PthreadConditions()
  @exclusivity(unchecked) private var ring = Ring()

  init() {
    for _ in 0..<Ring.capacity { places.signal() }
  }

  func push(_ element: Int) {
    places.wait()
    pthread_mutex_lock(mutex.mutex)
    ring.push(element)
    pthread_mutex_unlock(mutex.mutex)
    elements.signal()
  }

  func pop() -> Int {
    elements.wait()
    pthread_mutex_lock(mutex.mutex)
    let element = ring.pop()
    pthread_mutex_unlock(mutex.mutex)
    places.signal()
    return element
  }
}

// MARK: With NSCondition

final class TurnsOfNSCondition: TurnTaking, @unchecked Sendable {
  private let condition = NSCondition()
  @exclusivity(unchecked) private var turn = 0

  func takeTurn(_ player: Int) {
    condition.lock()
    while turn != player { condition.wait() }
    turn = 1 - player
    condition.unlock()
    // At most one thread is waiting, so a signal suffices and no broadcast is needed.
    condition.signal()
  }
}

/// A bounded queue whose producers and consumers wait for the same condition.
///
/// Each `NSCondition` has its own lock, so two conditions can't share the lock of the queue. Therefore each
/// change of the queue wakes all waiting threads, unless only one thread can be waiting.
final class QueueOfNSCondition: BoundedQueue, @unchecked Sendable {
  private let condition = NSCondition()
  private let isForOnePair: Bool
  @exclusivity(unchecked) private var ring = Ring()

  init(pairs: Int) {
    isForOnePair = pairs == 1
  }

  func push(_ element: Int) {
    condition.lock()
    while ring.isFull { condition.wait() }
    ring.push(element)
    condition.unlock()
    notify()
  }

  func pop() -> Int {
    condition.lock()
    while ring.isEmpty { condition.wait() }
    let element = ring.pop()
    condition.unlock()
    notify()
    return element
  }

  private func notify() {
    if isForOnePair { condition.signal() } else { condition.broadcast() }
  }
}

// MARK: The suite

extension Suite {
  /// Measures how fast threads hand values to one another, and how late timed waits return.
  static var waits: Suite {
    Suite(
      name: "waits", about: "threads that wait for what others do",
      contests: [
        waitContest(
          "two threads take turns", unit: 400,
          [
            HandOffTrial.pingPong("Protector", TurnsOfProtector()),
            HandOffTrial.pingPong("ExclusiveProtector", TurnsOfExclusiveProtector()),
            HandOffTrial.pingPong("pthread_cond_t", TurnsOfPthread()),
            HandOffTrial.pingPong("DispatchSemaphore", TurnsOfSemaphores()),
            HandOffTrial.pingPong("NSCondition", TurnsOfNSCondition()),
          ])
      ]
        + [1, 4].map { pairs in
          func row(_ name: String, _ queue: some BoundedQueue) -> Contestant {
            HandOffTrial.queue(name, queue, pairs: pairs)
          }
          return waitContest(
            "queue, \(pairs) to \(pairs)", unit: 4_000,
            [
              row("Protector", QueueOfProtector()),
              row("ExclusiveProtector", QueueOfExclusiveProtector()),
              row("pthread_cond_t", QueueOfPthread()),
              row("DispatchSemaphore", QueueOfSemaphores()),
              row("NSCondition", QueueOfNSCondition(pairs: pairs)),
            ])
        } + [
          Contest(
            group: "a wait that times out, 3 threads write", title: "latest timeout", metric: .waits,
            threads: 4, operationUnit: 1_000, reference: "pthread_cond_t",
            contestants: [
              TimeoutTrial.contestant("Protector", NumberOfProtector()),
              TimeoutTrial.contestant("ExclusiveProtector", NumberOfExclusiveProtector()),
              TimeoutTrial.contestant("pthread_cond_t", NumberOfPthread()),
            ])
        ])
  }

  private static func waitContest(_ title: String, unit: Int, _ contestants: [Contestant]) -> Contest {
    Contest(
      group: "hand-offs", title: title, metric: .handOffs, operationUnit: unit, reference: "pthread_cond_t",
      contestants: contestants)
  }
}

extension Target {
  /// The claims that compare hand-offs between threads with a `Protector` and with the system's libraries.
  static var waits: [Target] {
    ["two threads take turns", "queue, 1 to 1", "queue, 4 to 4"].flatMap { title in
      ["pthread_cond_t", "DispatchSemaphore", "NSCondition"].flatMap { peer in
        let paths = ["Protector", peer].map { Path("waits", "hand-offs", title, $0) }
        return [
          Target("\(title): Protector / \(peer), hand-offs", .ratio(paths[0], over: [paths[1]]), .atLeast(1)),
          Target(
            "\(title): Protector / \(peer), CPU time", .processorTime(paths[0], over: paths[1]), .atMost(1)),
        ]
      }
    }
  }
}
