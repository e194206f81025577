#if Exploration
  import Exploration
  import Observers
  import Protectors
  import Testing

  @testable import ViewModels

  /// Explores notifications of changes: `WeakObservers`, and `RowsInbox`, the mailbox of the row model.
  @Suite(.serialized) struct ObserverScheduleTests {
    final class Observer: Sendable {
      private let count = ExclusiveProtector(0)

      var calls: Int { count.withLock { $0 } }

      func changed() { count.withLock { $0 += 1 } }
    }

    @Test func anObserverIsRegisteredDuringAnIteration() throws {
      try check("WeakObservers, register and iterate") { run in
        let (observers, early, late) = (WeakObservers<Observer>(), Observer(), Observer())
        observers.observe(whileAlive: early)
        let registering = run.thread { observers.observe(whileAlive: late) }
        observers.forEach { $0.changed() }
        registering.join()
        run.expect(early.calls == 1, "an observer that was there is called once")
        observers.forEach { $0.changed() }
        run.expect(early.calls == 2)
        run.expect((1...2).contains(late.calls), "a registered observer is called by the next iteration")
      }
    }

    /// After `endObservation(by:)` has returned, only an iteration that is already running may still call the
    /// observer.
    @Test func anObserverIsRemovedDuringAnIteration() throws {
      try check("WeakObservers, remove and iterate", .exhaustive(preemptions: 2)) { run in
        let (observers, removed, kept) = (WeakObservers<Observer>(), Observer(), Observer())
        observers.observe(whileAlive: removed)
        observers.observe(whileAlive: kept)
        let removing = run.thread { () -> Bool in
          let wasRegistered = observers.endObservation(by: removed)
          let before = removed.calls
          observers.forEach { $0.changed() }
          return wasRegistered && removed.calls - before <= 1
        }
        observers.forEach { $0.changed() }
        run.expect(removing.join(), "only the iteration that was running may still call it")
        let calls = removed.calls
        run.expect(calls <= 1)
        observers.forEach { $0.changed() }
        run.expect(removed.calls == calls)
        run.expect(kept.calls == 3, "each iteration calls the other observer")
        run.expect(observers.entryCount == 1)
      }
    }

    /// A token ends its registration while another thread's iteration removes that of a deallocated observer.
    ///
    /// No registration may be left afterwards.
    @Test func registrationsEndOnTwoThreads() throws {
      try check("WeakObservers, a token and a deallocated observer", .exhaustive(preemptions: 2)) { run in
        let (observers, observer) = (WeakObservers<Observer>(), Observer())
        observers.observe(whileAlive: Observer())
        let ending = run.thread {
          let token = observers.observe(by: observer)
          token.end()
        }
        observers.forEach { $0.changed() }
        ending.join()
        run.expect(observer.calls <= 1)
        observers.forEach { _ in run.expect(false, "no registration is left") }
        run.expect(observers.entryCount == 0)
      }
    }

    /// A thread posts edits while another one drains the mailbox.
    ///
    /// The draining thread sleeps until a drain is scheduled. If a post fails to schedule one, that thread
    /// stays asleep, and the exploration reports a deadlock.
    ///
    /// - Parameter byteLimit: The mailbox's limit in bytes. With 0 there is no room for notifications, so
    ///   edits are only counted.
    @Test(arguments: [1 << 20, 0])
    func noPostedEditIsLeftBehind(byteLimit: Int) throws {
      try check("RowsInbox, at most \(byteLimit) bytes", .exhaustive(preemptions: 2)) { run in
        let inbox = RowsInbox(byteLimit: byteLimit)
        let drains = ExclusiveProtector(0)
        inbox.open { drains.withLock { $0 += 1 } }
        let (generation, firstID, _) = inbox.begin(rowCount: 0)
        let posting = run.thread { () -> Bool in
          (0..<2).allSatisfy { (number: UInt64) in
            let row = Row(id: firstID + number, text: "")
            let outcome = inbox.post(.inserted, at: 0, row, sequence: number + 1, generation: generation)
            return outcome == .posted
          }
        }
        var taken: UInt64 = 0
        while taken < 2 {
          drains.withWriteLock(waitingUntil: { $0 > 0 }) { $0 -= 1 }
          if let burst = inbox.take(into: []) {
            for edit in burst.edits {
              taken += 1
              run.expect(edit.sequence == taken, "edits are taken in the order in which they are posted")
            }
          } else {
            let rows = RowsSnapshot(storage: .array([]), nextID: firstID, life: nil)
            taken = inbox.take(into: [], rows: rows).sequence
          }
        }
        run.expect(posting.join())
        inbox.close()
      }
    }
  }
#endif
