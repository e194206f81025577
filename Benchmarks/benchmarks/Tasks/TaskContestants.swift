internal import AsyncLocks
internal import Dispatch
internal import Synchronization

/// A semaphore that the suite "tasks" measures.
protocol SemaphoreOfTasks: Sendable {
  /// Acquires and releases a permit `count` times.
  func run(_ count: Int) async
}

struct AsyncSemaphoreOfTasks: SemaphoreOfTasks {
  let semaphore = AsyncSemaphore(permits: 1)

  func run(_ count: Int) async {
    for _ in 0..<count { await semaphore.withPermit {} }
  }
}

/// A semaphore as programs often write it by hand: continuations in an array behind a `Mutex`.
final class HandWrittenSemaphore: SemaphoreOfTasks {
  private struct State {
    var permits: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(permits: Int) {
    state = Mutex(State(permits: permits))
  }

  func wait() async {
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

  func signal() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.permits += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }

  func run(_ count: Int) async {
    for _ in 0..<count {
      await wait()
      signal()
    }
  }
}

/// An actor that runs on a dispatch queue of its own, so that its caller has to switch threads.
actor ActorOfQueue {
  private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "tasks")

    func enqueue(_ job: UnownedJob) {
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private let executor = QueueExecutor()
  private(set) var count = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func add() -> Int {
    count &+= 1
    return count
  }
}

/// Lets two tasks resume each other; an atomic word holds the continuation of the suspended task.
final class PingPong: Sendable {
  private let suspended = Atomic<UInt>(0)

  /// Resumes the other task if it is suspended.
  ///
  /// A task must call this method after its last turn. Otherwise the other task could stay suspended forever.
  func resumeTheOther() {
    let other = suspended.exchange(0, ordering: .acquiringAndReleasing)
    if other != 0 { unsafeBitCast(other, to: UnsafeContinuation<Void, Never>.self).resume() }
  }

  /// Resumes the other task if it is suspended, and suspends the current task until the other task resumes
  /// it.
  func takeTurn() async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let bits = unsafeBitCast(continuation, to: UInt.self)
      let other = suspended.exchange(bits, ordering: .acquiringAndReleasing)
      if other != 0 { unsafeBitCast(other, to: UnsafeContinuation<Void, Never>.self).resume() }
    }
  }
}

/// The number of tasks that have begun.
final class BegunTasks: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .relaxed) }

  func addOne() { value.add(1, ordering: .relaxed) }
}
