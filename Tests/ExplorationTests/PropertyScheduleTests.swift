#if Exploration
  import AtomicProperties
  import Exploration
  import Synchronization
  import Testing

  /// Explores the atomic properties exhaustively.
  @Suite(.serialized) struct PropertyScheduleTests {
    private func exchanges<Property: Sendable>(
      _ name: String, _ makeProperty: @escaping @Sendable () -> Property,
      _ exchange: @escaping @Sendable (Property, Int) -> Int
    ) throws {
      try check("\(name), exchanges") { run in
        let property = makeProperty()
        let one = run.thread { exchange(property, 1) }
        let two = run.thread { exchange(property, 2) }
        let seen = [one.join(), two.join(), exchange(property, 3)]
        run.expect(seen.sorted() == [0, 1, 2], "each value leaves once")
      }
    }

    @Test func eachValueIsExchangedOnce() throws {
      try exchanges("AtomicProperty") {
        AtomicProperty(0)
      } _: {
        $0.exchange($1)
      }
      try exchanges("LockFreeProperty") {
        LockFreeProperty(0)
      } _: {
        $0.exchange($1, ordering: .acquiringAndReleasing)
      }
    }

    @Test func noModificationIsLost() throws {
      try check("AtomicProperty and LockFreeProperty, modifications") { run in
        let property = AtomicProperty(0)
        let lockFree = LockFreeProperty<UInt8>(0)
        let other = run.thread {
          property.value += 1
          lockFree.wrappingAdd(1, ordering: .relaxed)
        }
        property.update { $0 += 1 }
        lockFree.update(ordering: .acquiringAndReleasing) { $0 += 1 }
        other.join()
        run.expect(property.value == 2 && lockFree.value == 2)
      }
    }

    /// A thread that reads a property without naming an ordering must see everything that was stored before
    /// the property's value.
    @Test func aPropertyPublishesWhatWasStoredBeforeIt() throws {
      try check("LockFreeProperty, publication") { run in
        let cell = ExploredCell(0)
        let isReady = LockFreeProperty(false)
        let writer = run.thread {
          cell.value = 1
          isReady.store(true, ordering: .releasing)
        }
        if isReady.value { run.expect(cell.value == 1) }
        if isReady.wrappedValue { run.expect(cell.value == 1) }
        writer.join()
      }
      try check("LockFreeProperty, publication by a modification") { run in
        let cell = ExploredCell(0)
        let count = LockFreeProperty(0)
        let writer = run.thread {
          cell.value = 1
          count.update(ordering: .acquiringAndReleasing) { $0 += 1 }
        }
        count.update(ordering: .acquiringAndReleasing) { if $0 == 1 { run.expect(cell.value == 1) } }
        writer.join()
      }
    }
  }
#endif
