#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A `pthread_mutex_t` with two `pthread_cond_t`, for example one for producers and one for consumers.
final class PthreadConditions: @unchecked Sendable {
  // `PthreadConditions` is `@unchecked Sendable`, which is sound: the pointers never change, and any thread
  // may use the mutex and the conditions.
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
  // `turn` is used only while the mutex is held, so accesses can't overlap. This makes both
  // `@exclusivity(unchecked)` and the class's `@unchecked Sendable` sound.
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
  // `ring` is used only while the mutex is held, so accesses can't overlap. This makes both
  // `@exclusivity(unchecked)` and the class's `@unchecked Sendable` sound.
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
  // `number` is used only while the mutex is held, so accesses can't overlap. This makes both
  // `@exclusivity(unchecked)` and the class's `@unchecked Sendable` sound.
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
