import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// A document without a lock of its own, which one thread builds and other threads then read.
private final class Document: @unchecked Sendable {
  var title = ""
  var lines: [String] = []
}

extension ReadWriteLockContract {
  /// A reader must see all writes of an earlier writer.
  ///
  /// Only the lock orders the threads, so ThreadSanitizer reports a race if the lock does not order memory.
  @Test(arguments: LockUnderTest.all)
  func readersSeeTheWritesOfAWriter(candidate: LockUnderTest) {
    let rounds = StressSize.pick(quick: 100, full: 2_000)
    for _ in 0..<rounds {
      let lock = candidate.make()
      let published = Unguarded<Document?>(nil)
      let lineCounts = race(threads: 4) { index -> Int in
        if index == 0 {
          let document = Document()
          document.title = "published"
          document.lines = (0..<10).map { "line \($0)" }
          lock.withWriteLock { published.value = document }
          return document.lines.count
        }
        reportActivity("waits for the document")
        while true {
          if let document = lock.withReadLock({ published.value }) {
            return document.title == "published" ? document.lines.count : -1
          }
          PlatformThread.yield()
        }
      }
      #expect(lineCounts == [10, 10, 10, 10])
    }
  }

  @Test(arguments: LockUnderTest.sharing)
  func theNextWriterSeesTheWritesOfReaders(candidate: LockUnderTest) {
    let lock = candidate.make()
    // Each reader writes its own variable in read sections. The writer reads all variables in write sections,
    // and must see sums that never decrease.
    let readers = 3
    let notes = (0..<readers).map { _ in Unguarded(0) }
    let rounds = StressSize.pick(quick: 1_000, full: 20_000)
    let sums = race(threads: readers + 1) { index -> Int in
      guard index == readers else {
        for _ in 0..<rounds {
          lock.withReadLock { notes[index].value += 1 }
        }
        return 0
      }
      var last = 0
      for _ in 0..<rounds {
        let sum = lock.withWriteLock { notes.reduce(0) { $0 + $1.value } }
        if sum < last { return -1 }
        last = sum
      }
      return last
    }
    #expect(sums.allSatisfy { $0 >= 0 }, "the sum went down")
    #expect(lock.withWriteLock { notes.reduce(0) { $0 + $1.value } } == readers * rounds)
  }
}
