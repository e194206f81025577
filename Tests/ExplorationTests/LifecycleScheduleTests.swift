#if Exploration
  import Exploration
  import Testing

  @testable import Lifecycles

  /// Explores `Lifecycle`: exhaustively where the search ends in time, otherwise with few preemptions.
  @Suite(.serialized) struct LifecycleScheduleTests {
    final class Living: Sendable {
      let lifecycle = Lifecycle(label: "explored")
      let cell = ExploredCell(0)

      func deliver() { lifecycle.whileActive { cell.value += 1 } }
    }

    struct Refused: Error {}

    /// Explores `body` on a system with or without a barrier for all threads.
    private func explore(
      _ name: String, hasBarrier: Bool, _ strategy: ExplorationStrategy = .exhaustive(),
      _ body: @escaping @Sendable (Execution) -> Void
    ) throws {
      try check(
        "Lifecycle, \(name), \(hasBarrier ? "barrier" : "exchange")", strategy, hasBarrier: hasBarrier, body)
    }

    @Test(arguments: [true, false])
    func nothingIsDeliveredAfterInvalidateByAThreadThatDeliversAgain(hasBarrier: Bool) throws {
      try explore("two deliveries", hasBarrier: hasBarrier) { run in
        let living = Living()
        living.lifecycle.activate()
        let delivery = run.thread {
          living.deliver()
          living.deliver()
        }
        living.lifecycle.invalidate()
        // No lock guards this change, so a body of `whileActive` that still ran would be reported as a race.
        living.cell.value += 1
        delivery.join()
      }
    }

    /// The explored table has two slots, which the outer deliveries take, so the innermost one is counted.
    @Test(arguments: [true, false])
    func nothingIsDeliveredAfterInvalidateBesideNestedDeliveries(hasBarrier: Bool) throws {
      try explore("nested deliveries", hasBarrier: hasBarrier, .exhaustive(preemptions: 2)) { run in
        let living = Living()
        let outer = [Lifecycle(), Lifecycle()]
        for lifecycle in outer + [living.lifecycle] { lifecycle.activate() }
        let delivery = run.thread {
          outer[0].whileActive { outer[1].whileActive { living.deliver() } }
        }
        living.lifecycle.invalidate()
        living.cell.value += 1
        _ = delivery.join()
        for lifecycle in outer { lifecycle.invalidate() }
      }
    }

    /// Otherwise threads that keep calling could keep an invalidation waiting.
    @Test func aDroppedDeliveryIsNotCounted() throws {
      try check("Lifecycle, a dropped delivery") { run in
        let living = Living()
        living.lifecycle.activate()
        living.lifecycle.invalidate()
        let delivery = run.thread { living.deliver() }
        run.expect(!living.lifecycle.core.hasDelivery(besides: Delivery.Count()))
        delivery.join()
      }
    }

    @Test func aDeliveryInvalidates() throws {
      try check("Lifecycle, invalidated by a delivery") { run in
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
      try check("Lifecycle, two invalidations", mayEndEarly: true) { run in
        let living = Living()
        living.lifecycle.activate()
        let delivery = run.thread { living.deliver() }
        let other = run.thread { living.lifecycle.invalidate { living.cell.value += 1 } }
        living.lifecycle.invalidate { living.cell.value += 1 }
        delivery.join()
        _ = other.join()
      }
    }

    @Test func aDeliverySeesTheSetup() throws {
      try check("Lifecycle, a delivery beside the activation") { run in
        let living = Living()
        let delivery = run.thread {
          living.lifecycle.whileActive { run.expect(living.cell.value == 1) }
        }
        living.cell.value = 1
        living.lifecycle.activate()
        _ = delivery.join()
        living.lifecycle.invalidate()
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
      try check("Lifecycle, invalidated while activating", .exhaustive(preemptions: 3), mayEndEarly: true) {
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
