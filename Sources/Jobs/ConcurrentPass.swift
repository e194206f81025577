internal import Dispatch
internal import InterlockCore
internal import Protectors
internal import UnfairLocks

/// Runs a body for each of the numbers 0, 1, 2, … below a count, on several threads.
///
/// One such run is a *pass*.
///
/// `concurrentForEach` and `concurrentMap` use passes.
///
/// # Threads
/// One `concurrentPerform` runs on the calling thread and on threads of libdispatch, with at most one
/// iteration for each processor. An iteration takes numbers until none are left. The caller does not depend
/// on the other threads. If the pool is busy, the caller does all of the work, so a pass inside a pass can't
/// deadlock. libdispatch divides the threads of a nested `concurrentPerform` by the iterations of the outer
/// one, so nested passes don't multiply threads either.
///
/// # Order
/// A thread takes a number by adding one to the atomic counter `next`, so numbers are taken in ascending
/// order, each once. The first failure sets `next` to the count, so that no more numbers are taken. The body
/// still runs for the numbers that were taken before.
///
/// # Invariants
/// 1. The numbers taken are 0, 1, 2, … below a bound, `handedOut`. It is the count if nothing fails.
/// 2. When the pass ends, the body has run, to its end or to an error, for each number that was taken.
/// 3. If the body fails for a number, all lower numbers were taken before (by 1). So the lowest number whose
///    body fails is always taken. The pass throws the error of that number, which is also the error that a
///    plain loop would throw.
///
/// # Memory ordering
/// `next` is relaxed, because a number publishes no other data. libdispatch orders the caller's earlier work
/// before the bodies, and the bodies before the caller's later work. ThreadSanitizer sees this order.
struct ConcurrentPass<Failure: Error>: ~Copyable, Sendable {
  private let count: Int
  private let next = AtomicWord()
  private let failures: ExclusiveProtector<Failures>

  private struct Failures: Sendable {
    /// The count of the numbers that had been taken when the first failure stopped the pass; the total
    /// count if no call has failed.
    var handedOut: Int
    var all: [(number: Int, error: Failure)] = []
  }

  init(count: Int) {
    self.count = count
    failures = ExclusiveProtector(Failures(handedOut: count))
  }

  /// Runs `body` for each number below the count, until a call of `body` throws.
  ///
  /// Returns when no call of `body` is running.
  ///
  /// - Throws: A `PassInterruption` with the error of the lowest number whose body failed.
  borrowing func run(
    _ body: @Sendable (Int) throws(Failure) -> Void
  ) throws(PassInterruption<Failure>) {
    let threads = min(count, threadLimit)
    if threads > 1 {
      perform(threads) { _ in work(body) }
    } else {
      work(body)
    }
    let failures = failures.withLock { $0 }
    guard let first = failures.all.min(by: { $0.number < $1.number }) else { return }
    throw PassInterruption(
      error: first.error, handedOut: failures.handedOut, failed: failures.all.map(\.number))
  }

  /// The maximum number of threads of the pass: the number of processors.
  ///
  /// Under the explorer it is 2, so that schedules do not depend on the machine.
  private var threadLimit: Int { ExploredThreads.current == nil ? Processors.count : 2 }

  private borrowing func perform(_ iterations: Int, _ body: @Sendable (Int) -> Void) {
    if let thread = ExploredThreads.current { return thread.performConcurrently(iterations, body) }
    DispatchQueue.concurrentPerform(iterations: iterations, execute: body)
  }

  private borrowing func work(_ body: @Sendable (Int) throws(Failure) -> Void) {
    while true {
      // More than the count may have been taken, and so more than an `Int` can hold.
      let taken = next.add(1, .relaxed)
      guard taken < UInt64(count) else { return }
      let number = Int(taken)
      do throws(Failure) {
        try body(number)
      } catch {
        fail(number, error)
      }
    }
  }

  private borrowing func fail(_ number: Int, _ error: Failure) {
    let handedOut = Int(min(next.exchange(UInt64(count), .relaxed), UInt64(count)))
    failures.withLock { failures in
      // The first failure reads from `next` how many numbers were taken, and sets `next` to the count. Later
      // failures read the count or more. `handedOut` begins as the count, so the minimum is the number of
      // calls.
      failures.handedOut = min(failures.handedOut, handedOut)
      failures.all.append((number, error))
    }
  }
}

/// The error that a `ConcurrentPass` throws after the body has failed for a number.
@usableFromInline
@frozen
struct PassInterruption<Failure: Error>: Error {
  /// The error of the lowest number whose body threw.
  @usableFromInline
  let error: Failure
  /// The number of calls of the body; it was called once with each number below this one.
  @usableFromInline
  let handedOut: Int
  /// The numbers whose body threw, in no particular order.
  @usableFromInline
  let failed: [Int]
}

/// Runs `body` for each number below `count`, on several threads; see `ConcurrentPass`.
@usableFromInline
func concurrentPass<Failure: Error>(
  count: Int, _ body: @Sendable (Int) throws(Failure) -> Void
) throws(PassInterruption<Failure>) {
  try ConcurrentPass(count: count).run(body)
}
