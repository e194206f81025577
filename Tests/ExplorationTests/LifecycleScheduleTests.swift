#if Exploration
  import Exploration
  import Lifecycles
  import Testing

  /// Explores `Lifecycle`: exhaustively where the search ends in time, otherwise with few preemptions.
  @Suite(.serialized) struct LifecycleScheduleTests {
    final class Living: Sendable {
      let lifecycle = Lifecycle(label: "explored")
      let cell = ExploredCell(0)

      func deliver() { lifecycle.whileActive { cell.value += 1 } }
    }

    struct Refused: Error {}

    @Test func nothingIsDeliveredAfterInvalidate() throws {
      try check("Lifecycle") { run in
        let living = Living()
        living.lifecycle.activate()
        let delivery = run.thread { living.deliver() }
        living.lifecycle.invalidate()
        // No lock guards this change, so a body of `whileActive` that still ran would be reported as a race.
        living.cell.value += 1
        delivery.join()
      }
    }

    /// A thread's second call of `whileActive` takes the inlined fast path: it reuses the slot of the first
    /// call (see `SlotTable`).
    @Test func nothingIsDeliveredAfterInvalidateByAThreadThatDeliversAgain() throws {
      try check("Lifecycle, two deliveries", .exhaustive(preemptions: 2)) { run in
        let living = Living()
        living.lifecycle.activate()
        let delivery = run.thread {
          living.deliver()
          living.deliver()
        }
        living.lifecycle.invalidate()
        living.cell.value += 1
        delivery.join()
      }
    }

    /// In explorations the `SlotTable` has two slots, so one of three nested calls of `whileActive` finds no
    /// vacant slot.
    @Test func nothingIsDeliveredAfterInvalidateWithMoreDeliveriesThanSlots() throws {
      try check("Lifecycle, without a slot", .exhaustive(preemptions: 1), mayEndEarly: true) { run in
        let living = Living()
        let others = [Living(), Living()]
        for living in others + [living] { living.lifecycle.activate() }
        let delivery = run.thread {
          others[0].lifecycle.whileActive { others[1].lifecycle.whileActive { living.deliver() } }
        }
        living.lifecycle.invalidate()
        living.cell.value += 1
        delivery.join()
        for other in others { other.lifecycle.invalidate() }
      }
    }

    @Test func aDeliveryInvalidates() throws {
      try check("Lifecycle, invalidated by a delivery", .exhaustive(preemptions: 2), mayEndEarly: true) {
        run in
        let living = Living()
        living.lifecycle.activate()
        let delivery = run.thread { living.deliver() }
        living.lifecycle.whileActive {
          living.lifecycle.invalidate()
          // `invalidate` has waited for the body of `whileActive` on the other thread, so this change can't
          // race with it.
          living.cell.value += 1
        }
        delivery.join()
      }
    }

    @Test func twoThreadsInvalidate() throws {
      try check("Lifecycle, two invalidations", .exhaustive(preemptions: 2), mayEndEarly: true) { run in
        let living = Living()
        living.lifecycle.activate()
        let delivery = run.thread { living.deliver() }
        let other = run.thread { living.lifecycle.invalidate { living.cell.value += 1 } }
        living.lifecycle.invalidate { living.cell.value += 1 }
        delivery.join()
        _ = other.join()
      }
    }

    /// Of two threads that call `activate`, one runs the body, which must happen before each body of
    /// `whileActive` on either thread.
    @Test func twoThreadsActivate() throws {
      try check("Lifecycle, two activations") { run in
        let living = Living()
        let other = run.thread {
          living.lifecycle.activate { living.cell.value += 1 }
          living.lifecycle.whileActive { run.expect(living.cell.value == 1) }
        }
        living.lifecycle.activate { living.cell.value += 1 }
        living.lifecycle.whileActive { run.expect(living.cell.value == 1) }
        other.join()
        living.lifecycle.invalidate()
      }
    }

    @Test func anActivationThatFailsLeavesTheWorkToAnother() throws {
      try check("Lifecycle, an activation fails") { run in
        let living = Living()
        let failing = run.thread {
          try? living.lifecycle.activate { () throws(Refused) in
            living.cell.value += 1
            throw Refused()
          }
        }
        living.lifecycle.activate { living.cell.value += 1 }
        _ = failing.join()
        living.lifecycle.whileActive { run.expect((1...2).contains(living.cell.value)) }
        living.lifecycle.invalidate()
      }
    }

    @Test func noDeliveryRunsAfterAnActivationHasFailed() throws {
      try check("Lifecycle, a delivery during an activation that fails") { run in
        let living = Living()
        let delivery = run.thread { living.deliver() }
        _ = try? living.lifecycle.activate { () throws(Refused) in throw Refused() }
        living.cell.value += 1
        delivery.join()
      }
    }

    @Test func anActivationIsInvalidated() throws {
      try check("Lifecycle, invalidated while activating", .exhaustive(preemptions: 2), mayEndEarly: true) {
        run in
        let living = Living()
        let one = run.thread { living.lifecycle.activate { living.cell.value += 1 } }
        let two = run.thread { living.lifecycle.activate { living.cell.value += 1 } }
        living.lifecycle.invalidate()
        living.cell.value += 1
        _ = one.join()
        _ = two.join()
      }
    }
  }
#endif
