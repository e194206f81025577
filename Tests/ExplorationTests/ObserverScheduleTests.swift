#if Exploration
  import Exploration
  import Observers
  import Protectors
  import Testing

  /// Explores notifications of changes: `WeakObservers`.
  @Suite(.serialized) struct ObserverScheduleTests {
    final class Observer: Sendable {
      private let count = ExclusiveProtector(0)

      var calls: Int { count.withLock { $0 } }

      func changed() { count.withLock { $0 += 1 } }
    }

    @Test func anObserverIsRegisteredDuringAnIteration() throws {
      try check("WeakObservers, register and iterate") { run in
        let (observers, early, late) = (WeakObservers<Observer>(), Observer(), Observer())
        observers.add(whileAlive: early)
        let registering = run.thread { observers.add(whileAlive: late) }
        observers.forEach { $0.changed() }
        registering.join()
        run.expect(early.calls == 1, "an observer that was there is called once")
        observers.forEach { $0.changed() }
        run.expect(early.calls == 2)
        run.expect((1...2).contains(late.calls), "a registered observer is called by the next iteration")
      }
    }

    /// After `remove(_:)` has returned, only an iteration that is already running may still call the
    /// observer.
    @Test func anObserverIsRemovedDuringAnIteration() throws {
      try check("WeakObservers, remove and iterate", .exhaustive(preemptions: 2)) { run in
        let (observers, removed, kept) = (WeakObservers<Observer>(), Observer(), Observer())
        observers.add(whileAlive: removed)
        observers.add(whileAlive: kept)
        let removing = run.thread { () -> Bool in
          let wasRegistered = observers.remove(removed)
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
        observers.add(whileAlive: Observer())
        let ending = run.thread {
          let token = observers.add(observer)
          token.end()
        }
        observers.forEach { $0.changed() }
        ending.join()
        run.expect(observer.calls <= 1)
        observers.forEach { _ in run.expect(false, "no registration is left") }
        run.expect(observers.entryCount == 0)
      }
    }
  }
#endif
