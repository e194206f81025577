internal import ThreadSupport

/// A pool of threads that sleep while they have no job.
///
/// The same threads run all rounds, so that no round contains the start of a thread. They also ensure that
/// the process never has only one thread. In a process with one thread, glibc's locks omit atomic operations,
/// which would distort measurements.
package final class WorkerPool: Sendable {
  package typealias Job = @Sendable (_ worker: Int) -> Void

  private let mailboxes: [Monitor<Mail>]
  private let unfinished = Monitor(0)
  // `deinit` asks each thread to end. Afterwards this array is destroyed, which joins the threads, because
  // destroying a `PlatformThread` joins its thread.
  private let threads: [Worker]

  private enum Mail {
    case none
    case job(Job)
    case end
  }

  /// Holds a noncopyable thread in an object, because an array can't have noncopyable elements.
  private final class Worker: Sendable {
    private let thread: PlatformThread

    init(_ thread: consuming PlatformThread) {
      self.thread = thread
    }
  }

  /// Starts the threads.
  package init(count: Int) {
    let mailboxes = (0..<count).map { _ in Monitor(Mail.none) }
    self.mailboxes = mailboxes
    let unfinished = self.unfinished
    threads = mailboxes.indices.map { worker in
      Worker(PlatformThread { Self.serve(worker, mailbox: mailboxes[worker], unfinished: unfinished) })
    }
  }

  deinit {
    for mailbox in mailboxes {
      mailbox.enter { $0 = .end }
    }
  }

  /// The number of threads.
  package var count: Int { mailboxes.count }

  /// Runs `job` on the first `workers` threads, and waits until all of them have finished the job.
  ///
  /// The other threads sleep. The pool must have at least `workers` threads; otherwise the program traps. No
  /// other job may be running.
  package func run(on workers: Int, _ job: @escaping Job) {
    start(on: workers, job)
    unfinished.enter(when: { $0 == 0 }, { _ in })
  }

  /// Starts `job` on the first `workers` threads; the other threads sleep.
  ///
  /// The pool must have at least `workers` threads; otherwise the program traps. The caller must wait for the
  /// end of the job before it starts another one.
  func start(on workers: Int, _ job: @escaping Job) {
    precondition(workers <= count, "\(workers) workers asked of a pool of \(count)")
    unfinished.enter { $0 = workers }
    for mailbox in mailboxes.prefix(workers) {
      mailbox.enter { $0 = .job(job) }
    }
  }

  /// Waits at most `nanoseconds` until all threads have finished the job, and returns whether they have.
  func wait(nanoseconds: UInt64) -> Bool {
    unfinished.wait(nanoseconds: nanoseconds) { $0 == 0 }
  }

  /// Runs each job that arrives in `mailbox`, until the pool asks the thread to end; the body of each thread.
  private static func serve(_ worker: Int, mailbox: Monitor<Mail>, unfinished: Monitor<Int>) {
    while true {
      let mail = mailbox.enter(when: { if case .none = $0 { false } else { true } }) { mail in
        defer { mail = .none }
        return mail
      }
      guard case .job(let job) = mail else { return }
      job(worker)
      unfinished.enter { $0 -= 1 }
    }
  }
}
