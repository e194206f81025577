import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests threads with many nested read sections: more than a `ThreadRecord` can list, and more than the slots
/// of the `SlotTable`.
@Suite struct NestedReadsTests {
  @Test(
    "Each of many locks that a thread reads keeps writers out, until it is released",
    arguments: [ReaderBias.adaptive, .counted, .slots])
  func many(bias: ReaderBias) {
    let locks = (0..<20).map { _ in BoxedLock(BiasedReadWriteLock(bias: bias)) }
    // After these reads the locks are biased, unless `bias` is `.counted`. Readers then use the `SlotTable`.
    for lock in locks { for _ in 0..<200 { lock.withReadLock {} } }
    func admitWriters() -> [Bool] {
      onAnotherThread {
        locks.map { lock in unlessTimedOut { try lock.withWriteLock(timeout: .zero) { true } } == true }
      }
    }
    func read(_ depth: Int) {
      guard depth < locks.count else {
        locks[0].withReadLock {}
        #expect(admitWriters() == Array(repeating: false, count: locks.count))
        return
      }
      locks[depth].withReadLock { read(depth + 1) }
      #expect(admitWriters() == locks.indices.map { $0 >= depth })
    }
    // The writers of the first pass may revoke the bias, so the second pass may read a lock in another mode.
    read(0)
    read(0)
  }
}
