import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests every misuse that traps; each is committed in a process of its own.
@Suite struct CrashTests {
  private static let takingOnce = "take it once, and call what needs it from outside the section"

  private static let writtenTwice =
    "Protector: locked for writing by the thread that already holds it for writing; \(takingOnce)"

  private static let readWhileWritten =
    "Protector: locked for reading by the thread that holds it for writing; use what the write section gives access to"

  private static let givenTwice = "withWriteLocks: given the same protector twice; pass each protector once"

  private static let misuses = [
    Misuse(readWhileWritten) {
      let number = Protector(1)
      number.withWriteLock { _ in number.withReadLock(waitingUntil: { $0 == 1 }) { _ in } }
    },
    // A predicate uses its protector.
    Misuse(readWhileWritten) {
      let number = Protector(1)
      onAnotherThread { number.withWriteLock(waitingUntil: { _ in number.value == 1 }) { _ in } }
    },
    // The documented danger of assigning a new value in a write section: the old value is deinitialised under the
    // lock.
    Misuse(writtenTwice) {
      let object = Protector<Caller?>(nil)
      object.exchange(Caller { object.withWriteLock { _ in } })
      object.withWriteLock { $0 = nil }
    },
    Misuse("Protector: a timeout of -1.0 seconds is negative", "pass .zero to try once without waiting") {
      _ = try await Protector(0).withWriteLock(waitingUntil: { $0 == 0 }, timeout: .seconds(-1)) { _ in 1 }
    },
    Misuse(
      "ProtectorValues: an iterator is awaited by two tasks at once", "make an iterator for each task"
    ) { @MainActor in
      let values = Protector(0).values(of: { $0 }).makeAsyncIterator()
      var first = values
      _ = await first.next(isolation: MainActor.shared)
      for _ in 0..<2 {
        Task { @MainActor in
          var copy = values
          _ = await copy.next(isolation: MainActor.shared)
        }
      }
      while true { await Task.yield() }
    },
    // MARK: Several protectors
    Misuse(givenTwice) {
      let number = Protector(1)
      withWriteLocks(number, number) { _, _ in }
    },
    Misuse(givenTwice) {
      let number = Protector(1)
      withWriteLocks([number, Protector(2), number]) { _ in }
    },
    Misuse(givenTwice) {
      let number = Protector(1)
      _ = try await withWriteLocks(number, number, waitingUntil: { _, _ in true }) { _, _ in 1 }
    },
    Misuse(
      "withWriteLocks: its body made 1 values of 2",
      "change and replace the values, and leave their number as it is"
    ) {
      withWriteLocks([Protector(1), Protector(2)]) { _ = $0.removeLast() }
    },
    Misuse("withWriteLocks: a timeout of -1.0 seconds is negative", "pass .zero to try once without waiting")
    {
      let numbers = [Protector(1), Protector(2)]
      _ = try await withWriteLocks(numbers, waitingUntil: { _ in true }, timeout: .seconds(-1)) { _ in 1 }
    },
    Misuse(
      "withWriteLocks: waits for a predicate over no protectors", "pass one whose writes end the wait"
    ) {
      _ = try await withWriteLocks([Protector<Int>](), waitingUntil: { !$0.isEmpty }) { _ in 1 }
    },
    // Inside a write section of one of the protectors, in either position and with any lock.
    Misuse(writtenTwice) {
      let (first, second) = (Protector(1), Protector(2))
      first.withWriteLock { _ in withWriteLocks(first, second) { _, _ in } }
    },
    Misuse("ExclusiveProtector: locked by the thread that already holds it", takingOnce) {
      let (first, second) = (Protector(1), ExclusiveProtector(2))
      second.withLock { _ in withWriteLocks(first, second) { _, _ in } }
    },
    Misuse(
      "SpinReadWriteLock: locked for writing by the thread that already holds it for writing", takingOnce
    ) {
      let protectors = (0..<3).map { LockProtector($0, lock: SpinReadWriteLock()) }
      protectors[2].withWriteLock { _ in withWriteLocks(protectors) { _ in } }
    },
    Misuse(
      "PosixReadWriteLock: locked for writing by the thread that already holds it for writing", takingOnce
    ) {
      let protectors = (0..<3).map { LockProtector($0, lock: PosixReadWriteLock()) }
      protectors[1].withWriteLock { _ in withWriteLocks(protectors) { _ in } }
    },
    Misuse(
      "Protector: locked for writing by a thread that is in a read section of it",
      "leave the read section first, or take the write lock from the start"
    ) {
      let (first, second) = (Protector(1), Protector(2))
      second.withReadLock { _ in withWriteLocks(first, second) { _, _ in } }
    },
  ]

  @Test(arguments: misuses.indices) func misuseTraps(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      try await Self.misuses[index].commit()
    }
    #expect(result?.standardErrorContent.trap == Self.misuses[index].message)
  }
}
