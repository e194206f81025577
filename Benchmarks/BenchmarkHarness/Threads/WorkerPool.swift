/// Threads that live as long as the pool and sleep while they have nothing to do.
///
/// The same threads serve all rounds, so that no round pays for starting them. And the process never has one thread
/// only: glibc leaves out the atomic operations of its locks there, and a measurement of one thread would show that.
package final class WorkerPool: Sendable {
  package typealias Job = @Sendable (_ worker: Int) -> Void

  private let mailboxes: [Monitor<Mail>]
  private let unfinished = Monitor(0)
  private let threads: [ThreadHandle]

  private enum Mail {
    case none
    case job(Job)
    case end
  }

  private struct ThreadHandle: @unchecked Sendable {
    // Sendable: a thread's name may be used from any thread; only `deinit` uses it.
    let join: () -> Void
  }

  /// Starts the threads.
  package init(count: Int) {
    let mailboxes = (0..<count).map { _ in Monitor(Mail.none) }
    self.mailboxes = mailboxes
    let unfinished = self.unfinished
    threads = mailboxes.indices.map { worker in
      let thread = Platform.startThread {
        Self.serve(worker, mailbox: mailboxes[worker], unfinished: unfinished)
      }
      return ThreadHandle { Platform.join(thread) }
    }
  }

  deinit {
    for mailbox in mailboxes {
      mailbox.update { $0 = .end }
    }
    for thread in threads {
      thread.join()
    }
  }

  /// How many threads there are.
  package var count: Int { mailboxes.count }

  /// Runs `job` on the first `workers` threads and waits until all of them have finished it; the others sleep on.
  package func run(on workers: Int, _ job: @escaping Job) {
    precondition(workers <= count, "\(workers) workers asked of a pool of \(count)")
    unfinished.update { $0 = workers }
    for mailbox in mailboxes.prefix(workers) {
      mailbox.update { $0 = .job(job) }
    }
    unfinished.wait { $0 == 0 ? () : nil }
  }

  /// What a thread does with its life.
  private static func serve(_ worker: Int, mailbox: Monitor<Mail>, unfinished: Monitor<Int>) {
    while true {
      let mail = mailbox.wait { mail -> Mail? in
        if case .none = mail { return nil }
        defer { mail = .none }
        return mail
      }
      guard case .job(let job) = mail else { return }
      job(worker)
      unfinished.update { $0 -= 1 }
    }
  }
}
