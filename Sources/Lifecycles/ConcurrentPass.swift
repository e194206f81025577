internal import Dispatch
internal import PlatformLocks
internal import Protectors
internal import ReadWriteLocks
internal import UnfairLocks

/// One pass of several threads over the numbers 0, 1, 2, … below a count: what `concurrentForEach` and `concurrentMap` do.
///
/// # Who works
/// The calling thread, and as many threads of libdispatch as there are processors besides it: `concurrentPerform` with one
/// iteration for each. An iteration takes numbers until there are none left. The caller does not depend on the
/// other threads: if none comes, because the pool is busy, it does all of the work, so a pass inside a pass can't
/// deadlock. libdispatch divides the threads of a nested `concurrentPerform` by the iterations of the outer one, so
/// passes inside passes don't multiply threads either.
///
/// # Which number comes next
/// `next` is taken by adding one, so numbers are handed out in ascending order, each once. The first failure closes the
/// hand-out by setting `next` to the count; what was handed out before is worked off.
///
/// # Invariants
/// 1. The numbers handed out are those below some `handedOut`, which is the count as long as nothing fails.
/// 2. The body has run, to its end or to an error, for each number that was handed out, when the pass ends.
/// 3. A failure closes the hand-out after its number was handed out, and by 1 all lower ones had been too. So the lowest
///    number whose body fails is always handed out, and its error is the one thrown: what a plain loop
///    would have thrown, whichever thread was faster.
///
/// # Memory ordering
/// `next` is relaxed: numbers carry nothing. `ended` is incremented with release by each iteration and read with acquire
/// after all of them: the caller sees all that the bodies did. What the caller did before is visible to
/// the bodies by libdispatch's own order; so is the end of the iterations, but ThreadSanitizer sees atomics of this package best.
struct ConcurrentPass<Failure: Error>: ~Copyable, Sendable {
  private let count: Int
  private let next = AtomicWord()
  private let ended = AtomicWord()
  private let failures: ExclusiveProtector<Failures>

  private struct Failures: Sendable {
    /// How many numbers had been handed out when the first failure closed the hand-out.
    var handedOut: Int
    var all: [(number: Int, error: Failure)] = []
  }

  init(count: Int) {
    self.count = count
    failures = ExclusiveProtector(Failures(handedOut: count))
  }

  /// Runs `body` for each number; returns when no body runs any more.
  ///
  /// - Throws: What was left undone, and why.
  borrowing func run(
    _ body: @Sendable (Int) throws(Failure) -> Void
  ) throws(PassInterruption<Failure>) {
    let threads = min(count, Processors.count)
    if threads > 1 {
      DispatchQueue.concurrentPerform(iterations: threads) { _ in work(body) }
      // An acquire of the last release; the increments before belong to its release sequence.
      let endedThreads = ended.load(.acquiring)
      assert(endedThreads == threads)
    } else {
      work(body)
    }
    let failures = failures.withWriteLock { $0 }
    guard let first = failures.all.min(by: { $0.number < $1.number }) else { return }
    throw PassInterruption(
      error: first.error, handedOut: failures.handedOut, failed: failures.all.map(\.number))
  }

  private borrowing func work(_ body: @Sendable (Int) throws(Failure) -> Void) {
    while true {
      let number = Int(truncatingIfNeeded: next.add(1, .relaxed))
      guard number < count else { break }
      do throws(Failure) {
        try body(number)
      } catch {
        fail(number, error)
      }
    }
    ended.add(1, .releasing)
  }

  private borrowing func fail(_ number: Int, _ error: Failure) {
    let handedOut = Int(truncatingIfNeeded: next.exchange(UInt64(count), .relaxed))
    failures.withWriteLock { failures in
      // A later failure finds the count, or more, in `next`.
      failures.handedOut = min(failures.handedOut, handedOut)
      failures.all.append((number, error))
    }
  }
}

/// How a pass ended that did not run to its end.
@usableFromInline
struct PassInterruption<Failure: Error>: Error {
  /// The error of the lowest number that failed.
  @usableFromInline
  let error: Failure
  /// The body has run for the numbers below this one, and for no others.
  @usableFromInline
  let handedOut: Int
  /// The numbers whose body threw, in no order.
  @usableFromInline
  let failed: [Int]
}

/// Runs a pass; see `ConcurrentPass`.
@usableFromInline
func concurrentPass<Failure: Error>(
  count: Int, _ body: @Sendable (Int) throws(Failure) -> Void
) throws(PassInterruption<Failure>) {
  try ConcurrentPass(count: count).run(body)
}
