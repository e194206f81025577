// What the programs among the cases need: threads that meet in a fixed order, and a last word.

internal import Dispatch

#if canImport(Darwin)
  public import Darwin
#elseif canImport(Glibc)
  public import Glibc
#else
  public import Musl
#endif

/// A gate that is closed until somebody opens it; it orders threads, so that a mistake shows each time.
public final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Makes a closed gate.
  public init() {}

  /// Lets one thread through, now or when it comes.
  public func open() {
    semaphore.signal()
  }

  /// Waits until somebody opens the gate.
  public func pass() {
    semaphore.wait()
  }
}

/// Runs `body` on a thread of its own and waits for its end.
public func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  startThread(body).pass()
}

/// Runs `body` on a thread of its own; the gate opens at its end.
public func startThread(_ body: @escaping @Sendable () -> Void) -> Gate {
  let end = Gate()
  DispatchQueue(label: "thread").async {
    body()
    end.open()
  }
  return end
}

/// Runs each part of a task, from one suspension to the next, on a thread that runs nothing else before or after it.
public final class ThreadPerPart: TaskExecutor {
  /// Makes an executor.
  public init() {}

  /// Starts a thread for a part of a task.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    _ = startThread {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
      // The thread stays until the program ends.
      Gate().pass()
    }
  }
}

/// A new lock of the system's, in memory of its own.
public func makePthreadLock() -> UnsafeMutablePointer<pthread_rwlock_t> {
  let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
  lock.initialize(to: pthread_rwlock_t())
  pthread_rwlock_init(lock, nil)
  return lock
}

/// Says at the end of a program whether it came to the right result.
public func conclude<Value: Equatable>(_ result: Value, shouldBe expected: Value) {
  print(result == expected ? "right" : "wrong: \(result) instead of \(expected)")
}
