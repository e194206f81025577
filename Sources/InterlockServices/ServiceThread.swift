internal import CInterlock
internal import Dispatch
package import InterlockCore

/// A thread of the package's own, which exists while there is work.
///
/// # Why
/// Timeouts must end, and replaced values must be freed, also while the program computes or blocks on all threads of
/// the pool. The work says by `Next` what to do next. A *call* runs code of the program, which may block. So a second
/// thread, the *guard*, looks whether the first one, the *runner*, is stuck in a call while other work waits.
///
/// # State
/// `state`, one word:
///
/// | bits | meaning |
/// |---|---|
/// | `runs` | there is a runner, or one is being started |
/// | `calls` | the runner is in a call |
/// | `asked` | `request` was called since the runner has last begun to look for work |
/// | `sleeps` | the runner sleeps on `requests`, or is about to |
/// | `guarded`, `looks` | there is a guard, and it looks at the runner; otherwise it sleeps on `calls` |
/// | `turn` | a number, which changes when a call begins and when there is another runner |
/// | `forks` | the number of forks between the program's start and the process that has written the word |
///
/// # Steps
/// The runner: **R1** clears `asked`, and asks the work what to do. **R2** begins a call with the next turn. **R3** ends
/// the call, which is R1 too. **R4** announces a sleep, unless it was asked. **R5** ends after a time without work, unless
/// it was asked. The guard: **G1** reads the turn. **G2**, an interval later, becomes the runner if that is in a call of
/// the same turn, goes on if it is in another call, and sleeps if it is in none.
///
/// # Invariants
/// 1. One thread at a time is the runner: the one that knows the current turn. Only the runner asks the work, and another
///    thread becomes the runner only while it is in a call. A thread that finds another turn in R3 is the runner no more;
///    it becomes the guard, or ends if there is one.
/// 2. What is new before `request` is seen in a later R1: each of `request`, R4 and R5 changes the one word. `request`
///    starts a runner after R5, and wakes it after R4.
/// 3. While the runner is in a call and other work waits, the guard looks: `request` sees to that, and R2 for a request
///    since R1. So a call that blocks delays other work by at most two intervals.
///
/// There are at most two threads, and one for each call that blocks. A guard that sleeps ends after `idleTime`.
///
/// # Refusal
/// While the system refuses a thread, those of libdispatch do the work, one after another. Tasks need them too, so each
/// does it for an interval. If the guard's thread is refused, the next R2 or `request` tries again.
///
/// # Fork
/// A child made by `fork` has neither thread, so the state of another process counts as one without both. If the runner
/// itself has forked, inside a call, it goes on in R3, unless `request` has started another one meanwhile.
///
/// # Memory ordering
/// Each change of `state` acquires and releases. So a runner sees what the work did on the one before, and R1 what the
/// thread did that has called `request`.
package final class ServiceThread: Sendable {
  /// What the runner does next.
  package enum Next: Sendable {
    /// Calls the function; if it blocks, another thread goes on once there is a request, or soon if `othersWait`.
    case call(@Sendable () -> Void, othersWait: Bool)
    case sleep(until: Deadline)
    /// Waits for a request, and ends if there is none for some time.
    case rest
  }

  /// Returns what to do next; runs on the runner, which must not be stuck in it.
  package typealias Work = @Sendable () -> Next

  /// Starts a thread that runs the closure; returns whether the system has made one.
  package typealias Start = @Sendable (@escaping @Sendable () -> Void) -> Bool

  private enum Bits {
    static var runs: UInt64 { 1 }
    static var calls: UInt64 { 2 }
    static var asked: UInt64 { 4 }
    static var sleeps: UInt64 { 8 }
    static var guarded: UInt64 { 16 }
    static var looks: UInt64 { 32 }
    static var turn: UInt64 { (1 << 48) - 64 }
    static var forks: UInt64 { ~0 << 48 }
  }

  private let state = AtomicWord()
  private let requests = LockWord()
  private let calls = LockWord()
  /// A word that never changes, on which the guard sleeps for an interval.
  private let pause = LockWord()
  private let idleTime: Duration
  private let start: Start

  /// Makes a service without a thread.
  ///
  /// - Parameters:
  ///   - idleTime: How long a thread waits until it is needed again before it ends.
  ///   - start: Starts a thread.
  package init(idleTime: Duration = .seconds(1), start: @escaping Start = PlatformThread.startService) {
    self.idleTime = idleTime
    self.start = start
    // Registers the handler that counts forks.
    _ = ThreadIdentity.current
  }

  /// Makes the runner ask the work again, and starts the runner if there is none.
  ///
  /// - Parameter work: The same in each request.
  package func request(_ work: @escaping Work) {
    let (old, new) = change { old in
      if old & Bits.runs == 0 { return Self.nextTurn(old) | Bits.runs }
      return old | Bits.asked | (old & Bits.calls == 0 ? 0 : Bits.guarded | Bits.looks)
    }!
    if old & Bits.runs == 0 { return startRunner(new & Bits.turn, work) }
    if old & (Bits.sleeps | Bits.asked) == Bits.sleeps { wake(requests) }
    bringGuard(old, new, work)
  }

  // MARK: The state

  /// Replaces the state by what `next` makes of it, unless that is `nil`; returns both.
  @inline(never)
  private func change(_ next: (UInt64) -> UInt64?) -> (old: UInt64, new: UInt64)? {
    var seen = state.load(.relaxed)
    while true {
      let forks = UInt64(truncatingIfNeeded: interlock_forks()) << 48
      let old = seen & Bits.forks == forks ? seen : seen & Bits.turn | forks
      guard let new = next(old) else { return nil }
      let (exchanged, found) = state.compareExchange(expected: seen, desired: new, .acquiringAndReleasing)
      if exchanged { return (old, new) }
      seen = found
    }
  }

  private static func nextTurn(_ state: UInt64) -> UInt64 {
    state & ~Bits.turn | (state &+ 64) & Bits.turn
  }

  private func wake(_ word: borrowing LockWord) {
    word.addReleasing(1)
    word.wake(count: 1)
  }

  // Internal, for tests.
  var hasThread: Bool { state.load(.acquiring) & (Bits.runs | Bits.guarded) != 0 }
  var isGuarded: Bool { state.load(.acquiring) & Bits.looks != 0 }
  var hasIdleGuard: Bool { state.load(.acquiring) & (Bits.guarded | Bits.looks) == Bits.guarded }

  // MARK: The threads

  /// The end of an interval that begins now.
  private static var endOfInterval: Deadline { Deadline(nanoseconds: Deadline.now + 10_000_000) }

  private func startRunner(_ turn: UInt64, _ work: @escaping Work) {
    if start({ self.serve(from: turn, work) }) { return }
    let borrowed: @Sendable () -> Void = {
      if let turn = self.run(turn, work, until: Self.endOfInterval) { self.startRunner(turn, work) }
    }
    if let thread = ExploredThreads.current {
      thread.startThread(borrowed)
    } else {
      DispatchQueue.global().async(execute: borrowed)
    }
  }

  /// Starts or wakes the guard if it began to look between the states `old` and `new`.
  private func bringGuard(_ old: UInt64, _ new: UInt64, _ work: @escaping Work) {
    if new & ~old & Bits.looks == 0 { return }
    if old & Bits.guarded != 0 { return wake(calls) }
    if !start({ self.serve(from: nil, work) }) { _ = change { $0 & ~(Bits.guarded | Bits.looks) } }
  }

  /// Runs a thread, which begins as the runner of a turn, or as the guard.
  private func serve(from first: UInt64?, _ work: @escaping Work) {
    var turn = first
    repeat {
      if let runner = turn {
        _ = run(runner, work)
        let isGuard = change { state in
          state & (Bits.runs | Bits.guarded) == Bits.runs ? state | Bits.guarded | Bits.looks : nil
        }
        if isGuard == nil { return }
      }
      turn = guardRunner()
    } while turn != nil
  }

  /// Does the work until `end`; returns the turn if the thread is still the runner, and has not ended for want of work.
  ///
  /// - Parameter end: Set for a thread that does not belong to this service, which does not wait for requests.
  private func run(_ first: UInt64, _ work: @escaping Work, until end: Deadline? = nil) -> UInt64? {
    var turn = first
    var idleEnd: Deadline?
    repeat {
      _ = change { $0 & ~(Bits.asked | Bits.sleeps) }  // R1
      var next = work()
      while case .call(let body, let othersWait) = next {
        idleEnd = nil
        let (old, new) = change { state in  // R2
          let isGuarded = othersWait || state & Bits.asked != 0
          return Self.nextTurn(state) | Bits.calls | (isGuarded ? Bits.guarded | Bits.looks : 0)
        }!
        turn = new & Bits.turn
        bringGuard(old, new, work)
        body()
        let isRunner = change {  // R3
          $0 & Bits.turn == turn ? ($0 | Bits.runs) & ~(Bits.calls | Bits.asked) : nil
        }
        if isRunner == nil { return nil }
        if let end, end.hasPassed { return turn }
        next = work()
      }
      if case .sleep(let deadline) = next {
        idleEnd = nil
        sleep(until: Deadline(nanoseconds: min(deadline.nanoseconds, end?.nanoseconds ?? .max)))
        continue
      }
      idleEnd = idleEnd ?? (end == nil ? Deadline(after: idleTime) : .passed)
      if !idleEnd!.hasPassed {
        sleep(until: idleEnd!)
      } else if change({ $0 & Bits.asked == 0 ? $0 & ~Bits.runs : nil }) != nil {  // R5
        return nil
      }
    } while end?.hasPassed != true
    return turn
  }

  /// Sleeps until a request or the deadline.
  private func sleep(until deadline: Deadline) {
    let seen = requests.loadRelaxed()
    let mayWait = change { $0 & Bits.asked == 0 ? $0 | Bits.sleeps : nil }  // R4
    if mayWait != nil { requests.wait(while: seen, until: deadline) }
  }

  /// Looks whether the runner is stuck; returns the turn of the calling thread when it becomes the runner, and `nil` if
  /// it is not needed for `idleTime`.
  private func guardRunner() -> UInt64? {
    while true {
      let seen = state.load(.relaxed) & Bits.turn  // G1
      let end = Self.endOfInterval
      // A signal ends a wait early.
      while !end.hasPassed { pause.wait(while: 0, until: end) }
      let call = calls.loadRelaxed()
      let change = change { state in  // G2
        if state & Bits.calls == 0 { return state & ~Bits.looks }
        if state & Bits.turn != seen { return nil }
        return Self.nextTurn(state) & ~(Bits.calls | Bits.asked | Bits.guarded | Bits.looks)
      }
      guard let new = change?.new else { continue }
      if new & Bits.guarded == 0 { return new & Bits.turn }
      if !isNeededAgain(after: call) { return nil }
    }
  }

  /// Sleeps until the guard must look again; returns `false` after `idleTime`, when it is the guard no more.
  private func isNeededAgain(after call: UInt32) -> Bool {
    let end = Deadline(after: idleTime)
    while state.load(.relaxed) & Bits.looks == 0, !end.hasPassed { calls.wait(while: call, until: end) }
    return change { $0 & Bits.looks == 0 ? $0 & ~Bits.guarded : nil } == nil
  }
}
