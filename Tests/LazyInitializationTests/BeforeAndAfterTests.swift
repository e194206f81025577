import LazyInitialization
import TestSupport
import Testing

/// Shows the bug that each type prevents: two threads both pass a check, and both do what only one may do.
///
/// `FlagBefore` and `OptionalBefore` make the two threads wait for each other after the check, so that the
/// bug shows each time. They use atomic storage. In real programs such code has a data race in addition.
@Suite struct BeforeAndAfterTests {
  // MARK: Once

  /// A flag that is read and set in two steps.
  private final class FlagBefore: Sendable {
    private let isDone = RelaxedFlag()
    private let meeting = MeetingPoint(parties: 2)

    func setUp(_ work: () -> Void) {
      if !isDone.isSet {
        meeting.meet()  // Now both threads have passed the check.
        isDone.set()
        work()
      }
    }
  }

  private final class OnceAfter: Sendable {
    private let once = Once()

    func setUp(_ work: () -> Void) {
      once.run(work)
    }
  }

  @Test func aFlagLetsTwoThreadsIn() {
    let object = FlagBefore()
    let runs = RelaxedCounter()
    race(threads: 2) { _ in object.setUp { runs.add(1) } }
    #expect(runs.value == 2)
  }

  @Test func onceLetsOneThreadIn() {
    let object = OnceAfter()
    let runs = RelaxedCounter()
    race(threads: 2) { _ in object.setUp { runs.add(1) } }
    #expect(runs.value == 1)
  }

  // MARK: OnceCell

  /// Storage that is checked and filled in two steps.
  private final class OptionalBefore: Sendable {
    private let filled = RelaxedCounter()
    private let meeting = MeetingPoint(parties: 2)

    func session(_ open: () -> Int) -> Int {
      if filled.value == 0 {
        meeting.meet()  // Now both threads have passed the check.
        filled.add(open())
      }
      return filled.value
    }
  }

  private final class CellAfter: Sendable {
    private let cell = OnceCell<Int>()

    func session(_ open: () -> Int) -> Int {
      cell.value(orInitialize: open)
    }
  }

  @Test func anOptionalIsFilledTwice() {
    let object = OptionalBefore()
    let opened = RelaxedCounter()
    race(threads: 2) { _ in object.session { opened.add(1) } }
    #expect(opened.value == 2)
  }

  @Test func aCellIsFilledOnce() {
    let object = CellAfter()
    let opened = RelaxedCounter()
    let sessions = race(threads: 2) { _ in object.session { opened.add(1) } }
    #expect(opened.value == 1)
    #expect(sessions == [1, 1])
  }

  // MARK: Lazy

  /// A class with a `lazy var`, which two threads could initialise at the same time.
  private final class LazyVarBefore {
    lazy var index = Array(0..<10)
  }

  private final class LazyAfter: Sendable {
    let index = Lazy { Array(0..<10) }
  }

  /// The test uses one thread, because a race of two threads would be undefined behaviour.
  @Test func aLazyVariableIsMadeOnceOnOneThread() {
    let before = LazyVarBefore()
    #expect(before.index.count == 10)
  }

  @Test func aLazyValueIsMadeOnceOnSeveralThreads() {
    let after = LazyAfter()
    let counts = race(threads: 4) { _ in after.index.value.count }
    #expect(counts == [10, 10, 10, 10])
  }
}
