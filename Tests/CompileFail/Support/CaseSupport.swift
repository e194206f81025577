// What the mistakes in `Tests/CompileFail/Cases` share: a class, and helpers for the programs that show a mistake at
// run time. They order the program's threads, and print whether its result is right.

internal import Dispatch

/// A gate that orders threads, so that a mistake shows in every run.
///
/// The gate begins closed. Each call of `open()` lets one thread pass.
public final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Makes a closed gate.
  public init() {}

  /// Lets one thread pass the gate, now or when the thread arrives.
  public func open() {
    semaphore.signal()
  }

  /// Waits until a call of `open()` lets the calling thread pass.
  public func pass() {
    semaphore.wait()
  }
}

/// Runs `body` on another thread, and waits until `body` has ended.
public func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  startThread(body).pass()
}

/// Starts a thread that runs `body`; returns without waiting for it.
///
/// The returned gate opens when `body` has ended.
public func startThread(_ body: @escaping @Sendable () -> Void) -> Gate {
  let end = Gate()
  DispatchQueue(label: "thread").async {
    body()
    end.open()
  }
  return end
}

/// An executor that runs each part of a task, from one suspension to the next, on a new thread.
///
/// No thread is reused.
public final class ThreadPerPart: TaskExecutor {
  /// Makes an executor.
  public init() {}

  /// Runs a part of a task on a new thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    _ = startThread {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
      // Blocks the thread until the program ends, so that no other part of a task runs on it.
      Gate().pass()
    }
  }
}

/// A class that is not `Sendable`.
public final class Document {
  /// The number of edits, which a data race may lose.
  public var edits = 0

  /// Makes a document without edits.
  public init() {}
}

/// Prints whether a program had the expected result; the program must print nothing afterwards.
public func conclude<Value: Equatable>(_ result: Value, shouldBe expected: Value) {
  print(result == expected ? "right" : "wrong: \(result) instead of \(expected)")
}
