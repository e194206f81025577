internal import Synchronization

/// Runs `body` on `count` threads of the system, all started together, and returns when the last one has
/// ended.
///
/// Check the results after the race, on the test's own thread: the testing library attributes a failure to
/// the test of the current thread. If the threads do not end within `limit`, a watchdog reports where each
/// thread is, and ends the process.
///
/// - Parameters:
///   - count: The number of racing threads.
///   - limit: The maximum time of the race.
///   - body: Called once on each thread with the index of the thread.
/// - Returns: The result of each thread, by index.
@discardableResult
package func race<Result: Sendable>(
  threads count: Int,
  limit: Duration = Watchdog.limit,
  fileID: StaticString = #fileID,
  line: Int = #line,
  _ body: @Sendable (_ index: Int) -> Result
) -> [Result] {
  let watch = Watchdog.shared.begin("the race at \(fileID):\(line)", limit: limit)
  defer { Watchdog.shared.end(watch) }
  let results = Monitor([Result?](repeating: nil, count: count))
  withoutActuallyEscaping(body) { body in
    let gate = StartGate(parties: count)
    let threads = PlatformThreads(count: count) { index in
      gate.pass()
      let result = body(index)
      results.enter { $0[index] = result }
    }
    threads.join()
  }
  return results.enter { $0.map { $0! } }
}

/// Runs each of `bodies` on a thread of its own, all started together, and returns when the last one has
/// ended.
package func concurrently(
  limit: Duration = Watchdog.limit,
  fileID: StaticString = #fileID,
  line: Int = #line,
  _ bodies: @Sendable () -> Void...
) {
  race(threads: bodies.count, limit: limit, fileID: fileID, line: line) { bodies[$0]() }
}

/// Runs `body` on a thread of its own and returns its result.
///
/// A test calls this while it holds a lock, to find out what the lock permits another thread at that time.
@discardableResult
package func onAnotherThread<Result: Sendable>(
  limit: Duration = Watchdog.limit,
  fileID: StaticString = #fileID,
  line: Int = #line,
  _ body: @Sendable () -> Result
) -> Result {
  race(threads: 1, limit: limit, fileID: fileID, line: line) { _ in body() }[0]
}

/// Calls `sleep` on two new threads, and `body` on a third thread when the first two are probably asleep.
///
/// A slow thread may not be asleep yet when `body` runs. A test that needs two sleeping threads must repeat
/// this call. Returns the result of `body`.
package func whileTwoThreads<Result: Sendable>(
  _ sleep: @Sendable () -> Void, _ body: @Sendable () -> Result
) -> Result {
  let started = RelaxedCounter()
  return race(threads: 3) { index -> Result? in
    if index > 0 {
      started.add(1)
      sleep()
      return nil
    }
    while started.value < 2 { PlatformThread.yield() }
    MonotonicClock.sleep(.milliseconds(1))
    return body()
  }[0]!
}

/// A group of threads; its owner must call `join()`, or else the threads are never joined.
private struct PlatformThreads: ~Copyable {
  private let handles: UnsafeMutableBufferPointer<PlatformThread>

  init(count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) {
    handles = .allocate(capacity: count)
    for index in 0..<count {
      handles.initializeElement(at: index, to: PlatformThread { body(index) })
    }
  }

  consuming func join() {
    for index in handles.indices {
      handles.moveElement(from: index).join()
    }
    handles.deallocate()
  }
}

/// Blocks the racing threads until all of them have arrived, then starts them together.
///
/// The threads poll an atomic instead of sleeping, because sleeping threads would be woken one after another.
private final class StartGate: Sendable {
  private let missing: Atomic<Int>

  init(parties: Int) {
    missing = Atomic(parties)
  }

  func pass() {
    missing.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 {
      PlatformThread.yield()
    }
  }
}
