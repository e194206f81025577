internal import InterlockCore
internal import Protectors
internal import UnfairLocks

/// Runs a body on each of several new threads, and returns when all of them have ended.
///
/// ```swift
/// let counts = withThreads(8) { index in count(partOf: index) }   // eight threads, and their results in order
/// ```
///
/// Each body has a thread of its own, so bodies may block, sleep and wait for each other. For work that
/// only computes, `concurrentMap` is cheaper, because it uses the threads of a pool. For threads that run
/// beside the caller, use `JoinedThreads`.
///
/// - **Wait**: it ends with the last body; cancellation has no effect; no timeout; one caller alone; no priority is lent; a throw
///   is that of a body, after all have ended.
/// - **Errors**: a body that throws stops no other body. When all bodies have ended, the call throws the error
///   of the lowest index that failed, and drops all results.
/// - **Blocking**: the calling thread sleeps until all bodies have ended. In an `async` function that is a
///   thread of the cooperative pool, so call it on a thread or queue of your own.
/// - **Signals, task-local values**: as for jobs of `withJobs`.
/// - **Deadlocks it permits**: a body that waits for the calling thread, or for a lock that it holds. On the
///   main thread, that is a body that waits for the main actor.
/// - **Misuse that traps**: a negative count; more threads than the system grants.
///
/// - Parameters:
///   - count: The number of threads; a negative number traps.
///   - body: Called once on each thread, with the thread's index: 0, 1, 2, … below `count`. Its result need not
///     be `Sendable`, because it is returned as `sending`.
/// - Returns: The results of the bodies, in the order of their indices.
/// - Throws: The error of the lowest index whose body failed.
/// - Complexity: A thread of the system, with its stack, for each index.
@discardableResult
public func withThreads<R, E: Error>(
  _ count: Int, _ body: @Sendable (_ index: Int) throws(E) -> sending R
) throws(E) -> sending [R] {
  if count < 0 { misuse("withThreads", "called for \(count) threads", "pass 0 or more") }
  // The memory for the results would overflow, before the system refuses a thread.
  if count > Int(Int32.max) {
    misuse("withThreads", "called for \(count) threads, more than any system grants", "pass fewer")
  }
  let results = MappedResults<R>(count: count)
  let failures = ExclusiveProtector<[(index: Int, error: E)]>([])
  withoutActuallyEscaping(body) { body in
    JoinedThreads(count, for: "withThreads") { index in
      do throws(E) {
        results.put(try body(index), at: index)
      } catch {
        failures.withLock { $0.append((index, error)) }
      }
    }.join()
  }
  let failed = failures.withLock { $0 }
  guard let first = failed.min(by: { $0.index < $1.index }) else { return results.take() }
  results.discard(first: count, except: failed.map(\.index))
  throw first.error
}
