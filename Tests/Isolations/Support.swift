import Builtin
import Dispatch
import Glibc
import Synchronization

// What the rows use, in a module of its own: the rows are compiled with several settings.

/// Where the current row must run, and how to wait until its task has left that place.
private struct Place: Sendable {
  var isCurrent: @Sendable () -> Bool
  var enter: @Sendable () async -> Void
}

private struct Record: Sendable {
  var row = ""
  var place = Place(isCurrent: { false }, enter: {})
  var checks = 0
  var strays: [String] = []
}

private let record = Mutex(Record())

/// Records whether the caller runs in the isolation of its row.
///
/// No inlined function, so that the compiler must assume that it uses what the actor guards.
@inline(never)
package nonisolated func here(_ line: UInt = #line) {
  let isCurrent = record.withLock { $0.place }.isCurrent()
  record.withLock {
    $0.checks += 1
    if !isCurrent { $0.strays.append("\($0.row), line \(line)") }
  }
}

/// Runs `action` when the calling task has been suspended: the actor is free only then.
package nonisolated func later(_ action: @escaping @Sendable () async -> Void) {
  let place = record.withLock { $0.place }
  Task.detached {
    await place.enter()
    await action()
  }
}

/// Cancels the calling task when it has been suspended; it must wait for that.
package nonisolated func cancelLater() {
  withUnsafeCurrentTask {
    nonisolated(unsafe) let task = $0
    later { task?.cancel() }
  }
}

/// Something that another task holds.
package final class Holding: Sendable {
  private let end = AsyncStream<Void>.makeStream()

  /// Returns when `hold` has called the closure that it is passed, which returns after `release()`.
  package static func begin(
    _ hold: @escaping @Sendable (_ held: @escaping @Sendable () async -> Void) async -> Void
  ) async -> Holding {
    let holding = Holding()
    await withCheckedContinuation { continuation in
      Task.detached {
        await hold {
          continuation.resume()
          for await _ in holding.end.stream {}
        }
      }
    }
    return holding
  }

  package func release() { end.continuation.finish() }
}

package struct Failure: Error {
  package init() {}
}

/// Has no value that threads may share: only the actor may use it.
package final class Guarded {
  package var count = 0
  package init() {}
}

/// Blocks the thread, as code outside of tasks does.
package nonisolated func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

package actor Receiver {
  package init() {}
}

package let receiver = Receiver()

// MARK: Running rows

package typealias TableRow = (name: String, run: @Sendable () async throws -> Void)

/// Runs the rows, each in a task of its own.
package nonisolated func run(
  _ rows: [TableRow], as context: String, isCurrent: @escaping @Sendable () -> Bool,
  enter: @escaping @Sendable () async -> Void
) async {
  for row in rows {
    record.withLock {
      $0.row = "\(context): \(row.name)"
      $0.place = Place(isCurrent: isCurrent, enter: enter)
    }
    progress("\(context): \(row.name)")
    let checks = record.withLock { $0.checks }
    let task = Task.detached { try await row.run() }
    do { try await task.value } catch { fail("\(context): \(row.name) threw \(error)") }
    if record.withLock({ $0.checks }) == checks { fail("\(context): \(row.name) checked nothing") }
  }
}

/// Prints what runs, to find a row that hangs.
private func progress(_ row: String) {
  // Unbuffered, for a program that a signal will end.
  if CommandLine.arguments.contains("--verbose") { _ = write(1, row + "\n", row.utf8.count + 1) }
}

private func fail(_ text: String) { record.withLock { $0.strays.append(text) } }

/// Prints what has strayed; returns whether nothing has.
package nonisolated func report(_ name: String) -> Bool {
  let (checks, strays) = record.withLock { ($0.checks, $0.strays) }
  for stray in Set(strays).sorted() { print("isolations: off its actor: \(name): \(stray)") }
  print("isolations: \(name): \(checks) checks, \(strays.count) of them off the actor")
  return strays.isEmpty && checks > 0
}

/// Whether a check of the row has failed.
package nonisolated func hasStrayed(_ row: String) -> Bool {
  record.withLock { $0.strays.contains { $0.contains(row) } }
}

/// Whether the calling thread runs a job of the executor.
///
/// `preconditionIsolated()` asks the same function of the runtime, and ends the program. A table has to go on.
package nonisolated func isCurrent(_ executor: UnownedSerialExecutor) -> Bool {
  isCurrentExecutor(executor._executor, flags: 0)
}

@_silgen_name("swift_task_isCurrentExecutorWithFlags")
private nonisolated func isCurrentExecutor(_ executor: Builtin.Executor, flags: UInt64) -> Bool

/// An executor with a thread of its own.
package final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "executor")
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  package init() { queue.setSpecific(key: Self.key, value: ObjectIdentifier(self)) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  package var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }
}
