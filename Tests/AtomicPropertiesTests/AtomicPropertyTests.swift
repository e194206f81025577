import AtomicProperties
import TestSupport
import Testing

@Suite struct AtomicPropertyTests {
  @Test func itIsReadAndAssigned() {
    let property = AtomicProperty("a")
    #expect(property.value == "a")
    property.value = "b"
    #expect(property.value == "b")
    #expect(property.exchange("c") == "b")
    #expect(property.wrappedValue == "c")
    #expect(property.projectedValue === property)
  }

  @Test func compoundAssignmentThroughTheWrapperIsOneStep() {
    final class Holder: @unchecked Sendable {
      // `Holder` is `@unchecked Sendable`, which is sound: the wrapper's storage is a `var`, but nothing
      // assigns it.
      @AtomicProperty var count = 0
    }
    let holder = Holder()
    race(threads: 4) { _ in
      for _ in 0..<1_000 { holder.count += 1 }
    }
    #expect(holder.count == 4_000)
    #expect(holder.$count.exchange(1) == 4_000)
    holder.count = 2
    #expect(holder.count == 2)
  }

  @Test func theRightHandSideMayUseTheProperty() {
    let property = AtomicProperty(3)
    property.value += property.value
    property.value = property.value * 2
    #expect(property.value == 12)
  }

  @Test func updateReturnsWhatItsBodyReturns() {
    let property = AtomicProperty([1, 2, 3])
    let last = property.update { $0.popLast() }
    #expect(last == 3)
    let token = property.update { numbers in TrackedToken(Lifetimes(), number: numbers.count) }
    let number = token.number
    #expect(number == 2)
  }

  @Test func collectionsAreNotCopied() {
    var array = Array(0..<10)
    array.reserveCapacity(100)
    let property = AtomicProperty(consume array)
    let before = property.update { address(of: &$0) }
    property.update { $0.append(10) }
    property.value.append(11)
    property.value[0] = 7
    property.value += [12]
    property.wrappedValue.append(13)
    let after = property.update { address(of: &$0) }
    #expect(before == after)
    #expect(property.value.count == 14)
  }

  /// A replaced value must be destroyed after the lock is released, so that its `deinit` may use the
  /// property.
  @Test func aReplacedValueIsReleasedOutsideTheLock() {
    final class Reader: Sendable {
      let property: Unguarded<AtomicProperty<Reader?>?>
      let log: Lifetimes

      init(_ property: Unguarded<AtomicProperty<Reader?>?>, _ log: Lifetimes) {
        self.property = property
        self.log = log
      }

      deinit {
        // This read of the property would trap if the `deinit` ran while the thread held the property's lock.
        if property.value?.value == nil { _ = Tracked(log) }
      }
    }
    let holder = Unguarded<AtomicProperty<Reader?>?>(nil)
    let log = Lifetimes()
    let property = AtomicProperty<Reader?>(Reader(holder, log))
    holder.value = property
    property.value = nil
    #expect(log.made == 1)
    property.value = Reader(holder, log)
    property.wrappedValue = nil
    #expect(log.made == 2)
    property.value = Reader(holder, log)
    property.exchange(nil)
    #expect(log.made == 3)
    holder.value = nil
  }

  private func address(of array: inout [Int]) -> UInt {
    array.withUnsafeMutableBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }
}
