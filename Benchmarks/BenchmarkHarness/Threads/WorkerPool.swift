internal import ThreadSupport

/// Threads that live as long as the pool and sleep while they have nothing to do.
///
/// The same threads serve all rounds, so that no round pays for starting them. And the process never has one
/// thread only: glibc leaves out the atomic operations of its locks there, and a measurement of one thread
/// would show that.
package final class WorkerPool: Sendable {
  package typealias Job = @Sendable (_ worker: Int) -> Void

  private let mailboxes: [Monitor<Mail>]
  private let unfinished = Monitor(0)
  // Destroyed after `deinit`, which has notified the threads to end. That joins them.
  private let threads: [Worker]

  private enum Mail {
    case none
    case job(Job)
    case end
  }

  /// A thread in an array.
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

  /// How many threads there are.
  package var count: Int { mailboxes.count }

  /// Runs `job` on the first `workers` threads and waits until all of them have finished it; the others sleep
  /// on.
  package func run(on workers: Int, _ job: @escaping Job) {
    precondition(workers <= count, "\(workers) workers asked of a pool of \(count)")
    unfinished.enter { $0 = workers }
    for mailbox in mailboxes.prefix(workers) {
      mailbox.enter { $0 = .job(job) }
    }
    unfinished.enter(when: { $0 == 0 }, { _ in })
  }

  /// What a thread does with its life.
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
