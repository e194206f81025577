import Synchronization
import TestSupport
import Testing

@testable import AtomicProperties

@Suite struct LockFreePropertyTests {
  @Test func itIsLoadedStoredAndExchanged() {
    let property = LockFreeProperty(1)
    #expect(property.value == 1)
    property.store(2, ordering: .relaxed)
    property.store(3, ordering: .releasing)
    property.store(4, ordering: .sequentiallyConsistent)
    #expect(property.load(ordering: .relaxed) == 4)
    #expect(property.load(ordering: .acquiring) == 4)
    #expect(property.load(ordering: .sequentiallyConsistent) == 4)
    #expect(property.exchange(5, ordering: .acquiringAndReleasing) == 4)
    #expect(property.exchange(6, ordering: .relaxed) == 5)
    #expect(property.exchange(7, ordering: .acquiring) == 6)
    #expect(property.exchange(8, ordering: .releasing) == 7)
    #expect(property.exchange(9, ordering: .sequentiallyConsistent) == 8)
    #expect(property.wrappedValue == 9)
    #expect(property.projectedValue === property)
  }

  @Test func compareExchangeStoresOnlyOverTheExpectedValue() {
    let property = LockFreeProperty(1)
    for ordering in 0..<5 {
      let result =
        switch ordering {
        case 0: property.compareExchange(expected: 1, desired: 2, ordering: .relaxed)
        case 1: property.compareExchange(expected: 1, desired: 2, ordering: .acquiring)
        case 2: property.compareExchange(expected: 1, desired: 2, ordering: .releasing)
        case 3: property.compareExchange(expected: 1, desired: 2, ordering: .acquiringAndReleasing)
        default: property.compareExchange(expected: 1, desired: 2, ordering: .sequentiallyConsistent)
        }
      #expect(result.exchanged)
      #expect(result.original == 1)
      let failed = property.compareExchange(expected: 1, desired: 3, ordering: .acquiringAndReleasing)
      #expect(!failed.exchanged)
      #expect(failed.original == 2)
      property.store(1, ordering: .relaxed)
    }
  }

  @Test("Arithmetic that wraps leaves a value that compares equal to the same one stored")
  func wrappingLeavesNoCarry() {
    func check<Number: FixedWidthInteger & AtomicRepresentable & Sendable>(_ type: Number.Type) {
      let property = LockFreeProperty(Number.max)
      property.wrappingAdd(1, ordering: .relaxed)
      #expect(
        property.compareExchange(expected: .min, desired: .min, ordering: .acquiringAndReleasing).exchanged)
      property.wrappingSubtract(1, ordering: .relaxed)
      #expect(
        property.compareExchange(expected: .max, desired: 0, ordering: .acquiringAndReleasing).exchanged)
    }
    check(Int8.self)
    check(UInt8.self)
    check(Int16.self)
    check(UInt16.self)
    check(Int32.self)
    check(UInt32.self)
    check(Int.self)
    check(UInt64.self)
  }

  @Test("The processor's addition serves numbers as wide as the word, and no others")
  func wholeWords() {
    #expect(LockFreeProperty<Int>.isWholeWord == (Int.bitWidth == 64))
    #expect(LockFreeProperty<UInt>.isWholeWord == (UInt.bitWidth == 64))
    #expect(LockFreeProperty<Int64>.isWholeWord && LockFreeProperty<UInt64>.isWholeWord)
    #expect(!LockFreeProperty<Int32>.isWholeWord && !LockFreeProperty<UInt32>.isWholeWord)
    #expect(!LockFreeProperty<Int8>.isWholeWord && !LockFreeProperty<UInt8>.isWholeWord)
  }

  @Test(arguments: [0, 1, -1, Int.max, Int.min, 12345])
  func arithmeticIsThatOfIntegers(start: Int) {
    func check<Number: FixedWidthInteger & AtomicRepresentable & Sendable>(_ type: Number.Type) {
      for operand in [0, 1, -1, 77, .max, .min] as [Int] {
        let first = Number(truncatingIfNeeded: start)
        let second = Number(truncatingIfNeeded: operand)
        let property = LockFreeProperty(first)
        func expect(_ result: (oldValue: Number, newValue: Number), _ expected: Number) {
          #expect(result.oldValue == first)
          #expect(result.newValue == expected)
          #expect(property.value == expected)
          property.store(first, ordering: .relaxed)
        }
        expect(property.wrappingAdd(second, ordering: .relaxed), first &+ second)
        expect(property.wrappingAdd(second, ordering: .sequentiallyConsistent), first &+ second)
        expect(property.wrappingSubtract(second, ordering: .acquiring), first &- second)
      }
    }
    check(Int.self)
    check(UInt.self)
    check(Int64.self)
    check(UInt64.self)
    check(Int32.self)
    check(UInt32.self)
    check(Int16.self)
    check(UInt16.self)
    check(Int8.self)
    check(UInt8.self)
  }

  @Test func flagsFloatingPointNumbersAndEnumsAreCompared() {
    let flag = LockFreeProperty(false)
    #expect(flag.exchange(true, ordering: .acquiringAndReleasing) == false)
    #expect(flag.compareExchange(expected: true, desired: false, ordering: .acquiringAndReleasing).exchanged)
    #expect(flag.value == false)

    let number = LockFreeProperty(1.5)
    number.store(-2.25, ordering: .relaxed)
    #expect(number.value == -2.25)
    // A compare-exchange compares the representations of values, so 0.0 and -0.0 differ.
    let zero = LockFreeProperty(0.0)
    #expect(!zero.compareExchange(expected: -0.0, desired: 1, ordering: .acquiringAndReleasing).exchanged)

    enum Phase: UInt8, AtomicRepresentable, Sendable { case idle, running, done }
    let phase = LockFreeProperty(Phase.idle)
    #expect(phase.exchange(.done, ordering: .acquiringAndReleasing) == .idle)
    #expect(phase.value == .done)
  }

  @Test func updateTriesUntilItSucceeds() {
    let property = LockFreeProperty(1)
    var runs = 0
    let result = property.update(ordering: .acquiringAndReleasing) { value -> Int in
      runs += 1
      // Another thread changes the value during the first attempt, so this attempt fails.
      if runs == 1 { onAnotherThread { property.wrappingAdd(10, ordering: .relaxed) } }
      value *= 2
      return value
    }
    #expect(runs == 2)
    #expect(result == 22)
    #expect(property.value == 22)
  }

  @Test func theWrapperIsReadAndItsObjectChanges() {
    @LockFreeProperty var count = 3
    $count.wrappingAdd(4, ordering: .relaxed)
    #expect(count == 7)
  }

  @Test func noIncrementOfANumberNarrowerThanAWordIsLost() {
    let narrow = LockFreeProperty<UInt16>(0)
    race(threads: 4) { _ in
      for _ in 0..<5_000 { narrow.wrappingAdd(3, ordering: .relaxed) }
    }
    #expect(narrow.value == 60_000)
  }
}
