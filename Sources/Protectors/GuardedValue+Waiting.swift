public import InterlockCore
public import ReadWriteLocks

// How a thread waits for a predicate in a write section. The header of `WaitQueue` has the algorithm, and the argument
// that no wake-up is lost.

extension GuardedValue where Value: ~Copyable, Lock: RawLock & ~Copyable {
  /// Begins a write section as soon as `predicate` holds.
  @_alwaysEmitIntoClient
  @_transparent
  func beginWriting(waitingUntil predicate: @Sendable (borrowing Value) -> Bool) {
    self.predicate.didPass()
    _ = beginWriting(waitingUntil: predicate, until: .never)
  }

  /// Begins a write section as soon as `predicate` holds; throws a `TimeoutError` if `timeout` passes first.
  @_alwaysEmitIntoClient
  @_transparent
  func beginWriting(waitingUntil predicate: @Sendable (borrowing Value) -> Bool, timeout: Duration?) throws {
    let limit = WaitLimit(timeout, for: primitive)
    guard beginWriting(waitingUntil: predicate, until: limit.deadline) else { throw timeoutPassed() }
  }

  /// Begins a write section as soon as `predicate` holds; returns `false` if the deadline passed first.
  @_alwaysEmitIntoClient
  @_transparent
  func beginWriting(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, until deadline: Deadline
  ) -> Bool {
    guard ownLock.beginAccess(until: deadline, for: Lock.kindInProtector) else { return false }
    if unsafe predicate(data) {
      self.predicate.willSatisfy(afterWaiting: true)
      return true
    }
    if deadline != .passed { return waitToWrite(for: predicate, until: deadline) }
    ownLock.endAccess(for: Lock.kindInProtector)
    return false
  }

  /// Calls `body` with a new waiter for `predicate`.
  ///
  /// When `body` returns, the waiter must not be in the queue, because it is on the stack of this function.
  @_alwaysEmitIntoClient
  func withWaiter(
    _ kind: Waiter.Kind, for predicate: @Sendable (borrowing Value) -> Bool, until deadline: Deadline,
    _ body: (UnsafeMutablePointer<Waiter>) -> Void
  ) {
    withoutActuallyEscaping(predicate) { predicate in
      // Sound: the predicate and the waiter are on the stack while `body` runs, and the waiter is in the
      // queue only then. `WaitQueue` evaluates predicates under the lock, with the address of this
      // protector's value.
      unsafe withUnsafePointer(to: WaitPredicate<Value>(isSatisfied: predicate)) { predicate in
        unsafe withUnsafeTemporaryAllocation(of: Waiter.self, capacity: 1) { memory in
          let waiter = memory.baseAddress!
          unsafe waiter.initialize(
            to: Waiter(
              kind, isCancellable: deadline != .never, primitive: self.predicate.primitive(.predicate),
              predicate: UnsafeRawPointer(predicate), evaluation: WaitPredicate<Value>.evaluation))
          unsafe body(waiter)
          unsafe waiter.pointee.willEnd()
          unsafe waiter.deinitialize(count: 1)
        }
      }
    }
  }

  /// Waits in the queue, in and after the write section in which the predicate was false.
  ///
  /// Returns `true` in a write section in which it holds, and `false` after the deadline, in no section.
  @_alwaysEmitIntoClient
  @inline(never)
  func waitToWrite(for predicate: @Sendable (borrowing Value) -> Bool, until deadline: Deadline) -> Bool {
    var isIn = false
    unsafe withWaiter(.thread, for: predicate, until: deadline) { waiter in
      var served = Waiters()
      // Sound: the thread is in a write section, which guards the value, and no other call uses its waiter.
      unsafe waiters.append(waiter, reserving: ownLock.reservable())
      while true {
        var spin = unsafe adaptiveSpin.begin()
        ownLock.endAccess(for: Lock.kindInProtector)
        if served.isNotEmpty { served.wake() }
        if deadline == .never { self.predicate.willAcquire() }
        // If the deadline passes, `sleep` removes the waiter from the queue.
        let isServed = unsafe waiters.sleep(waiter, until: deadline, &spin)
        if deadline == .never { self.predicate.didStopWaiting() }
        if isServed {
          if !ownLock.beginServedAccess(until: deadline, for: Lock.kindInProtector) {
            if unsafe waiters.passOn(waiter) { return }
            // The lock is reserved for this thread.
            _ = ownLock.beginServedAccess(until: .never, for: Lock.kindInProtector)
          }
        } else if !ownLock.beginAccess(until: deadline, for: Lock.kindInProtector) {
          return
        }
        if isServed { unsafe adaptiveSpin.end(spin) }
        if unsafe predicate(data) {
          unsafe waiters.endWait(waiter)
          self.predicate.willSatisfy(afterWaiting: true)
          isIn = true
          return
        }
        guard isServed else { return ownLock.endAccess(for: Lock.kindInProtector) }
        unsafe waiters.queueAgain(waiter)
        // Only one served writer at a time may be on its way to the lock. The calling thread was that writer,
        // and must wait again. So serve another writer whose predicate holds.
        served = serveWaiters()
      }
    }
    return isIn
  }
}
