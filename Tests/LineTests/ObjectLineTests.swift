#if Exploration && ShippedLayout
  import AtomicProperties
  import Exploration
  import Lifecycles
  import Observers
  import Testing

  @testable import EventSources

  @Suite(.serialized) struct ObjectLineTests {
    @Test(arguments: scenarios) func costsWhatTheTableSays(scenario: Scenario) throws { try scenario.check() }

    static let scenarios: [Scenario] = [
      .threads("LockFreeProperty: an update") { _ in
        let property = LockFreeProperty(1)
        return { _ in property.update(ordering: .relaxed) { $0 += 1 } }
      },
      .threads("AtomicProperty: an update") { _ in
        let property = AtomicProperty(1)
        return { _ in property.update { $0 += 1 } }
      },
      .threads("Lifecycle: a delivery", [.movesNoLine]) { _ in
        // Never freed: it must not end while it is active.
        let lifecycle = Lifecycle()
        _ = Unmanaged.passRetained(lifecycle)
        lifecycle.activate()
        return { _ in lifecycle.whileActive {} }
      },
      // The inner delivery takes a slot that is no other thread's first one.
      .threads("Lifecycle: a delivery in a delivery of another", [.movesNoLine]) { _ in
        // Never freed: they must not end while they are active.
        let (outer, inner) = (Lifecycle(), Lifecycle())
        for lifecycle in [outer, inner] {
          _ = Unmanaged.passRetained(lifecycle)
          lifecycle.activate()
        }
        return { _ in outer.whileActive { inner.whileActive {} } }
      },
      .threads("Lifecycle, invalidated: a delivery that is dropped", [.movesNoLine]) { _ in
        let lifecycle = Lifecycle()
        lifecycle.activate()
        lifecycle.invalidate()
        return { _ in lifecycle.whileActive {} }
      },
      .threads("WeakObservers: all are called") { _ in
        let observers = WeakObservers<Box<CountedValue>>()
        let observer = Box(CountedValue())
        observers.add(whileAlive: observer)
        return { _ in observers.forEach { _ = $0.value.read() } }
      },
      .threads("OrderedDelivery: a post while a drain is scheduled") { _ in
        let delivery = OrderedDelivery<Int>(
          limit: .max, combining: nil, isReceiver: { _ in true }, schedule: { _ in }, deliver: { _, _ in })
        return { _ in _ = delivery.post(1) }
      },
      .threads("OrderedDelivery: a post and a drain", orders: [.roundRobin]) { _ in
        let delivery = OrderedDelivery<Int>(
          limit: .max, combining: nil, isReceiver: { _ in true }, schedule: { _ in }, deliver: { _, _ in })
        return { thread in
          if thread == 0 { delivery.drain(isScheduled: true) } else { _ = delivery.post(1) }
        }
      },
      .threads("EventMailbox: an event of a source, which nobody awaits") { _ in
        let mailbox = EventMailbox<TimerEvent>(label: "")
        return { _ in mailbox.deliver(TimerEvent(data: 1), hold: {}) }
      },
    ]
  }
#endif
