internal import Foundation

/// Repeatedly sends signals to threads, to interrupt their system calls.
///
/// The signal's handler is installed without `SA_RESTART`, so interrupted calls are not restarted.
package final class SignalStorm: Sendable {
  private struct Targets {
    var threads: [pthread_t] = []
    var missing: Int
  }

  /// A signal that no other test uses.
  private static let number = SIGUSR2

  /// Installs the signal handler when it is first evaluated, and leaves the handler installed.
  ///
  /// A process has only one handler for each signal, so one storm must not remove the handler of another.
  private static let installHandler: Void = {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { _ in }
    #else
      action.__sigaction_handler.sa_handler = { _ in }
    #endif
    sigaction(number, &action, nil)
  }()

  private let targets: Monitor<Targets>
  private let sentCount = RelaxedCounter()

  private init(threads count: Int) {
    targets = Monitor(Targets(missing: count))
  }

  /// The number of rounds so far; each round sends one signal to every thread whose body is running.
  package var sent: Int { sentCount.value }

  /// Runs `body` on racing threads, as the function `race` does, and sends each thread signals until its body
  /// has returned.
  ///
  /// - Returns: The result of each thread, by index.
  @discardableResult
  package static func race<Result: Sendable>(
    threads count: Int, fileID: StaticString = #fileID, line: Int = #line,
    _ body: @Sendable (_ index: Int, _ storm: SignalStorm) -> Result
  ) -> [Result] {
    _ = installHandler
    let storm = SignalStorm(threads: count)
    let results = TestSupport.race(threads: count + 1, fileID: fileID, line: line) { index -> Result? in
      if index == count {
        storm.send()
        return nil
      }
      storm.enter()
      defer { storm.leave() }
      return body(index, storm)
    }
    return results.compactMap { $0 }
  }

  private func enter() {
    // Unblocks the signal: the threads of tests block all signals, and a new thread inherits their mask.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, Self.number)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    targets.enter { $0.threads.append(pthread_self()) }
  }

  private func leave() {
    targets.enter { targets in
      targets.threads.removeAll { pthread_equal($0, pthread_self()) != 0 }
      targets.missing -= 1
    }
  }

  private func send() {
    var isOver = false
    while !isOver {
      isOver = targets.enter { targets in
        // Every thread in the list is alive: it removes itself, under this monitor, before it ends.
        for thread in targets.threads { pthread_kill(thread, Self.number) }
        return targets.missing == 0
      }
      sentCount.add(1)
      // Leaves processor time for the tests that run in parallel.
      MonotonicClock.sleep(.microseconds(20))
    }
  }
}

/// Whether the calling thread leaves the signals of the program to others, as threads of the package do.
package var leavesSignals: Bool {
  var mask = sigset_t()
  pthread_sigmask(SIG_SETMASK, nil, &mask)
  let isOwnOpen = sigismember(&mask, SIGSEGV) == 0
  return isOwnOpen && [SIGTERM, SIGUSR1, SIGALRM].allSatisfy { sigismember(&mask, $0) == 1 }
}

#if os(Linux)
  /// The folder in which the system tells about the calling thread.
  package var folderOfThread: String {
    "/proc/" + ((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? "")
  }

  /// Whether the thread with this folder leaves the signals of the program to others; `nil` if it has ended.
  package func leavesSignals(threadIn folder: String) -> Bool? {
    guard let status = try? String(contentsOfFile: folder + "/status", encoding: .utf8) else { return nil }
    let mask = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t").last
    return UInt64(mask ?? "", radix: 16).map { $0 >> UInt64(SIGTERM - 1) & 1 == 1 } ?? false
  }
#endif
