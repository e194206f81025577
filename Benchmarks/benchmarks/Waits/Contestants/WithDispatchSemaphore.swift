internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Lets two threads take turns, with a semaphore for each thread.
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

/// A bounded queue with two semaphores and a mutex.
///
/// The semaphores count the elements and the free places. The mutex guards the ring buffer.
final class QueueOfSemaphores: BoundedQueue, @unchecked Sendable {
  private let elements = DispatchSemaphore(value: 0)
  private let places = DispatchSemaphore(value: 0)
  private let mutex = PthreadConditions()
  // `ring` is used only while the mutex is held, so accesses can't overlap. This makes both
  // `@exclusivity(unchecked)` and the class's `@unchecked Sendable` sound.
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
