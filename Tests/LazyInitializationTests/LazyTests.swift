import LazyInitialization
import TestSupport
import Testing

@Suite struct LazyTests {
  @Test func anUnusedClosureIsReleasedWithTheObject() {
    let lifetimes = Lifetimes()
    do {
      let lazy = Lazy { [object = Tracked(lifetimes)] in object.number }
      #expect(lazy.valueIfComplete == nil)
      #expect(lifetimes.alive == 1)
    }
    #expect(lifetimes.alive == 0)
  }

  /// The closure's captures are released after the value was stored, so their deinits may read it.
  @Test func aDeinitOfACapturedObjectMayUseTheValue() {
    final class Reader: Sendable {
      let lazy = Unguarded<Lazy<Int>?>(nil)
      let seen: Unguarded<Int>

      init(_ seen: Unguarded<Int>) { self.seen = seen }

      deinit { seen.value = lazy.value!.value }
    }
    let seen = Unguarded(0)
    func make() -> Lazy<Int> {
      let reader = Reader(seen)
      let lazy = Lazy { withExtendedLifetime(reader) { 6 } }
      reader.lazy.value = lazy
      return lazy
    }
    let lazy = make()
    #expect(lazy.value == 6)
    #expect(seen.value == 6)
  }

  /// Reading borrows the value, so the array's storage is the same object each time.
  @Test func theValueIsNotCopied() {
    let lazy = Lazy { Array(0..<100) }
    let first = lazy.value.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    let second = lazy.value.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    #expect(first == second)
  }

  @Test func theWrapperStandsInAStruct() {
    struct Table {
      @Lazy var squares = (0..<4).map { $0 * $0 }
    }
    let table = Table()
    // The copied struct shares the `Lazy` object, so a value made through the copy appears in the original.
    let copy = table
    #expect(table.$squares.valueIfComplete == nil)
    #expect(copy.squares == [0, 1, 4, 9])
    #expect(table.$squares.valueIfComplete == [0, 1, 4, 9])
  }
}
