public import PlatformLocks

/// The algorithm of `Once`, `OnceCell` and `Lazy`: which thread runs the body, and what the others do meanwhile.
///
/// # Why
/// `swift_once`, behind `static let`, is a call even when the work is done long ago, can't be retried after an error,
/// and needs a global. `lazy var` has no synchronisation. This is four bytes, inline in whatever needs it; when the work
/// is done it costs a load and a compare. The shape (one word that says who runs and whether anybody sleeps) is that of
/// the futex `Once` in Rust's standard library; the runner's number, which finds re-entry, and the hand-over to one
/// waiter after an error are added here.
///
/// # State
/// One word:
///
///     bits 0…26   the runner's `ThreadIdentity`, or 0 when nobody runs the body
///     bit  30     complete: a body has run to its end
///     bit  31     waiters: threads sleep on the word, or are about to
///
/// | word | state | goes to |
/// |---|---|---|
/// | 0, or `waiters` | incomplete | running: `begin` adds the caller's number and leaves `waiters` as it is |
/// | number, or number and `waiters` | running | complete: `finish`; incomplete: `abandon` takes the number away and leaves `waiters` as it is |
/// | `complete` | complete, for ever | |
///
/// # Invariants
/// 1. Only the runner ends `running`. Hence at most one body runs at a time, and none after `complete`.
/// 2. A thread sleeps only while the word is a number with `waiters`. The kernel compares again before it lets the
///    thread sleep.
/// 3. `waiters` is set before anybody sleeps, and nothing but `finish` takes it away. `finish` then wakes everybody.
///
/// # Why no wake-up is lost
/// Somebody sleeps: then the word was a number with `waiters` when it fell asleep, and by 3 `waiters` stays until
/// `finish`. The runner of that moment calls `finish` or `abandon`.
///
/// - `finish` sees `waiters` and wakes all. Who had not fallen asleep yet finds another word than it compares with.
/// - `abandon` leaves `waiters` in the incomplete word, and wakes one. That thread gives up for no reason (there is no
///   timeout): it looks again. Either it finds the word incomplete and becomes the runner, or a thread that came at
///   that moment was faster and is the runner. In both cases there is a runner again and `waiters` is still in its word,
///   so its own `finish` or `abandon` answers for all who sleep. If it finds the word complete, `finish` saw `waiters`.
/// - `abandon` that wakes nobody found nobody asleep: those about to sleep find another word than they compare with.
///
/// So whenever threads sleep, there is a runner who will see `waiters`, or one of them has been woken and has not looked
/// yet. A wake-up too many (an `abandon` whose word was taken before its wake-up went out) makes a thread look once more.
///
/// # Memory ordering
/// `finish` releases and the fast path acquires: who sees `complete` sees all that the body did. `abandon` releases and
/// `begin` acquires: the next body sees what the failed one left behind. Setting `waiters` is relaxed, and being a
/// read-modify-write it continues the release sequence it falls into. The number is compared with one's own only.
///
/// # Waiting
/// A thread that finds a runner looks again a few times, for about as long as a sleep and a wake-up take, then sleeps.
/// Once anybody sleeps, nobody spins.
///
/// # Deadlocks it permits
/// A body that waits for a thread which waits for the body; two bodies that run each other's `Once`. Re-entry by the
/// runner's own thread traps.
@usableFromInline
struct OnceCore: ~Copyable, Sendable {
  @usableFromInline
  let state: LockWord

  @inlinable
  init(isComplete: Bool = false) {
    state = LockWord(isComplete ? Self.complete : 0)
  }

  // MARK: State

  @inlinable
  static var complete: UInt32 { 1 << 30 }

  private static var waiters: UInt32 { 1 << 31 }

  private static func hasWaiters(_ state: UInt32) -> Bool { state & waiters != 0 }

  private static func runner(_ state: UInt32) -> UInt32 { state & ThreadIdentity.mask }

  // MARK: Fast path
  // Callers put what follows a `false` behind `_slowPath`, which is a hint: the compiler then saves registers there only.

  /// Whether a body has run to its end; if so, all that it did is visible.
  @inlinable
  @inline(__always)
  var isComplete: Bool { state.loadAcquiring() == Self.complete }

  // MARK: Slow path
  // Static, because calling a method takes a register that an inlined caller would have to save before it looks.

  /// Makes the caller the runner, or waits until a body has run to its end.
  ///
  /// - Parameters:
  ///   - core: What to begin.
  ///   - caller: Whom the trap names if the calling thread is the runner.
  /// - Returns: Whether the caller is the runner, and has to call `finish` or `abandon`.
  @usableFromInline
  @inline(never)
  static func begin(_ core: borrowing OnceCore, _ caller: Caller) -> Bool {
    let me = ThreadIdentity.current
    var backoff = Backoff()
    while true {
      let state = core.state.loadAcquiring()
      if state == complete { return false }
      let runner = runner(state)
      if runner == 0 {
        if core.state.compareExchangeAcquiring(expected: state, desired: state | me).exchanged { return true }
        continue
      }
      if runner == me { caller.trapReentry() }

      if !hasWaiters(state) {
        if backoff.spin() { continue }
        let desired = state | waiters
        guard core.state.compareExchangeRelaxed(expected: state, desired: desired).exchanged else { continue }
      }
      core.state.wait(while: runner | waiters)
    }
  }

  /// The runner's body has run to its end.
  @usableFromInline
  @inline(never)
  static func finish(_ core: borrowing OnceCore) {
    if hasWaiters(core.state.exchangeReleasing(complete)) { core.state.wake(count: .max) }
  }

  /// The runner's body threw: leaves the work to somebody else.
  @usableFromInline
  @inline(never)
  static func abandon(_ core: borrowing OnceCore) {
    if hasWaiters(core.state.subtractReleasing(ThreadIdentity.current)) { core.state.wake(count: 1) }
  }

  // MARK: Traps

  /// What was called.
  @usableFromInline
  enum Caller {
    case onceRun, cellSet, cellInitialize, lazyValue

    @inline(never)
    fileprivate func trapReentry() -> Never {
      switch self {
      case .onceRun:
        misuse(
          "Once", "run called from inside its own body",
          "compute what it needs before, or split the work in two")
      case .cellSet:
        misuse(
          "OnceCell", "set called from inside its own initializer",
          "compute what it needs before, or split the work in two")
      case .cellInitialize:
        misuse(
          "OnceCell", "initialized from inside its own initializer",
          "compute what it needs before, or split the work in two")
      case .lazyValue:
        misuse(
          "Lazy", "value read from inside the closure that makes it",
          "compute what it needs before, or split the work in two")
      }
    }
  }
}
