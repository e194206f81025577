internal import Dispatch
internal import Foundation
internal import Jobs
internal import Synchronization

/// A value on cache lines of its own, at a stable address.
///
/// Benchmarks store each measured lock in a box, separate from reference counts and other data.
package final class IsolatedBox<Value: ~Copyable & Sendable>: @unchecked Sendable {
  // `IsolatedBox` is `@unchecked Sendable`, which is sound: the pointer never changes, and any thread may
  // borrow the value, because `Value` is `Sendable`. A value that changes has one writing thread at a time.

  /// The address of the value; valid while the box lives.
  package let pointer: UnsafeMutablePointer<Value>

  /// Moves `value` into newly allocated memory that the box owns.
  package init(_ value: consuming Value) {
    // Some processors have cache lines of 128 bytes, and some fetch lines of 64 bytes in pairs.
    let alignment = 128
    let size = max(1, (MemoryLayout<Value>.size + alignment - 1) / alignment) * alignment
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
    pointer = memory.bindMemory(to: Value.self, capacity: 1)
    pointer.initialize(to: value)
  }

  deinit {
    pointer.deinitialize(count: 1)
    UnsafeMutableRawPointer(pointer).deallocate()
  }
}

/// Starts the threads of a round at the same moment, when the last thread has arrived; can be used only once.
///
/// Threads wait by yielding and not by sleeping. Sleeping threads would be woken one after another, and the
/// first of them would run alone for a while.
final class StartGate: Sendable {
  private let missing: Atomic<Int>
  private let openedAt = Atomic<UInt64>(0)

  init(threads: Int) {
    missing = Atomic(threads)
  }

  /// Waits until all threads of the round have arrived, and returns the moment at which the last one arrived.
  ///
  /// All threads get the same moment.
  ///
  /// - Parameter now: Returns the current time, which must not be 0; only the last thread calls it.
  func pass(now: () -> UInt64) -> UInt64 {
    if missing.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
      let moment = now()
      openedAt.store(moment, ordering: .releasing)
      return moment
    }
    while true {
      let moment = openedAt.load(ordering: .acquiring)
      if moment != 0 { return moment }
      sched_yield()
    }
  }
}

/// A pool of threads that sleep while they have no job.
///
/// The same threads run all rounds, so that no round contains the start of a thread. They also ensure that
/// the process never has only one thread. In a process with one thread, glibc's locks omit atomic operations,
/// which would distort measurements. The threads sleep on semaphores of the system, so that the harness does
/// not wait with the locks that it measures.
package final class WorkerPool: Sendable {
  package typealias Job = @Sendable (_ worker: Int) -> Void

  /// The next job of one thread; a signal without a job asks the thread to end.
  ///
  /// `@unchecked Sendable` is sound: the pool writes `job` before it signals, and only while the thread has
  /// no job; the thread takes it after it was signaled.
  private final class Mailbox: @unchecked Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    var job: Job?
  }

  private let mailboxes: [Mailbox]
  private let unfinished = DispatchGroup()
  // `deinit` asks each thread to end. The destruction of this value then joins them.
  private let threads: JoinedThreads

  /// Starts the threads.
  package init(count: Int) {
    let mailboxes = (0..<count).map { _ in Mailbox() }
    self.mailboxes = mailboxes
    threads = JoinedThreads(count) { [unfinished] worker in
      while true {
        mailboxes[worker].semaphore.wait()
        guard let job = mailboxes[worker].job.take() else { return }
        job(worker)
        unfinished.leave()
      }
    }
  }

  deinit {
    for mailbox in mailboxes { mailbox.semaphore.signal() }
  }

  /// The number of threads.
  package var count: Int { mailboxes.count }

  /// Runs `job` on the first `workers` threads, and waits until all of them have finished the job.
  ///
  /// The other threads sleep. No other job may be running.
  package func run(on workers: Int, _ job: @escaping Job) {
    start(on: workers, job)
    unfinished.wait()
  }

  /// Starts `job` on the first `workers` threads; traps if there are fewer.
  ///
  /// The caller must wait for the end of the job before it starts another one.
  func start(on workers: Int, _ job: @escaping Job) {
    precondition(workers <= count, "\(workers) workers asked of a pool of \(count)")
    for mailbox in mailboxes.prefix(workers) {
      unfinished.enter()
      mailbox.job = job
      mailbox.semaphore.signal()
    }
  }

  /// Waits at most `milliseconds` until all threads have finished the job, and returns whether they have.
  func wait(milliseconds: Int) -> Bool {
    unfinished.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
  }
}
