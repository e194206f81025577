internal import LockSupport

/// Lets threads record while it is open, and waits for them when it closes.
///
/// A thread increments `users` before it reads `run`, and `close` changes `run` before it reads `users`.
/// These four operations are sequentially consistent. Therefore, either the thread finds the gate closed, or
/// `close` waits for the thread. The release in `open` orders earlier work of its caller before the bodies
/// that find the gate open. The release at the end of `whileOpen` orders the body before the end of `close`.
struct RecordingGate: ~Copyable, Sendable {
  /// The number of the current run (from `open` to `close`); 0 while the gate is closed.
  private let run = AtomicWord()
  private let lastRun = AtomicWord()
  /// The number of threads that are in `whileOpen`.
  private let users = AtomicWord()

  var isOpen: Bool { run.load(.relaxed) != 0 }

  /// Opens the gate for a new run.
  ///
  /// The gate must be closed, and no other thread may open or close it meanwhile.
  func open() {
    lastRun.add(1, .relaxed)
    run.store(lastRun.load(.relaxed), .releasing)
  }

  /// Closes the gate, and waits until no thread is in `whileOpen`.
  func close() {
    run.store(0, .sequentiallyConsistent)
    while users.load(.sequentiallyConsistent) != 0 { Backoff.yieldUntilChange() }
  }

  /// Closes the gate in a child made by `fork`, in which only the calling thread exists.
  func abandon() {
    run.store(0, .relaxed)
    users.store(0, .relaxed)
  }

  /// Runs `body` with the number of the current run if the gate is open; does nothing if it is closed.
  func whileOpen(_ body: (_ run: UInt64) -> Void) {
    users.add(1, .sequentiallyConsistent)
    let run = run.load(.sequentiallyConsistent)
    if run != 0 { body(run) }
    users.add(.max, .releasing)
  }
}
