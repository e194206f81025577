import Dispatch
import Jobs
import InterlockCore
import Protectors
import TestSupport
import Testing

@Suite struct ConcurrentIterationTests {
  private struct Failure: Error, Equatable {
    let number: Int
  }

  @TaskLocal private static var name = "none"

  /// One thread of the loop is the caller's; the others belong to no task.
  @Test func onlyCallsOnTheCallingThreadSeeTheTask() async {
    await inCancelledTask {
      Self.$name.withValue("caller") {
        let caller = PlatformThread.current
        (0..<1_000).concurrentForEach { _ in
          let isOnCaller = PlatformThread.current == caller
          #expect(Self.name == (isOnCaller ? "caller" : "none"))
          #expect(Task.isCancelled == isOnCaller)
          PlatformThread.yield()
        }
      }
    }
  }

  // MARK: Results

  @Test func mapTakesEveryKindOfCollection() {
    #expect((10..<15).concurrentMap { $0 } == [10, 11, 12, 13, 14])
    #expect(Array(0..<10)[4...].concurrentMap { $0 } == [4, 5, 6, 7, 8, 9])
    #expect((0..<4).reversed().concurrentMap { $0 } == [3, 2, 1, 0])
    #expect(["a", "b"].indices.concurrentMap { $0 } == [0, 1])
  }

  /// After an error no more elements are handed out, and the numbers that are taken are more than an `Int` can hold.
  @Test func anErrorEndsTheLongestRange() {
    #expect(throws: Failure(number: 1_000)) {
      try (0..<Int.max).concurrentForEach { (number) throws(Failure) in
        if number == 1_000 { throw Failure(number: number) }
      }
    }
  }

  /// Results are returned as `sending`, so they need not be `Sendable`.
  @Test func resultsNeedNotBeSendable() {
    final class Box {
      var number: Int
      init(_ number: Int) { self.number = number }
    }
    let boxes = (0..<100).concurrentMap { Box($0) }
    for box in boxes { box.number += 1 }
    #expect(boxes.map(\.number) == Array(1...100))
  }

  @Test("forEach calls the body once for each element and waits for all")
  func forEachWaitsForAll() {
    let calls = (0..<500).map { _ in Unguarded(0) }
    (0..<500).concurrentForEach { number in
      if number % 50 == 0 { PlatformThread.yield() }
      // There is deliberately no lock: the iteration must call the body once for each element, and must wait
      // for all calls before the test reads the counts.
      calls[number].value += 1
    }
    #expect(calls.allSatisfy { $0.value == 1 })
  }

  @Test(
    "bodies run side by side, and the caller sees what they wrote",
    .enabled(if: Processors.count > 1, "there is one processor"))
  func bodiesMeet() {
    let meeting = MeetingPoint(parties: 2)
    let written = (0..<2).map { _ in Unguarded(0) }
    // libdispatch may add the second thread late while other tests occupy its threads.
    onAnotherThread(limit: Watchdog.limit * 5) {
      (0..<2).concurrentForEach { number in
        meeting.meet()
        // ThreadSanitizer reports a race unless the end of the iteration orders this write before the test's
        // read.
        written[number].value = number + 1
      }
      #expect(written.map(\.value) == [1, 2])
    }
  }

  // MARK: Errors

  @Test(
    "the first element's error wins also where a later one fails before it",
    .enabled(if: Processors.count > 1, "there is one processor"))
  func theFirstElementsErrorWinsAlsoWhenLate() {
    let laterHasFailed = Signal()
    let caught = onAnotherThread(limit: Watchdog.limit * 5) { () -> Failure? in
      do throws(Failure) {
        try (0..<2).concurrentForEach { (number) throws(Failure) in
          if number == 0 {
            laterHasFailed.wait()
          } else {
            laterHasFailed.send()
          }
          throw Failure(number: number)
        }
        return nil
      } catch {
        return error
      }
    }
    #expect(caught == Failure(number: 0))
  }

  // MARK: Threads

  /// Records which threads run bodies, and the greatest number of threads that did so at the same time.
  private struct Census: Sendable {
    var inside: [UInt: Int] = [:]
    var threads: Set<UInt> = []
    var peak = 0

    /// Records that the calling thread begins a body (a change of 1) or ends one (-1).
    ///
    /// A thread in a nested body counts once.
    mutating func note(_ change: Int) {
      let thread = PlatformThread.current
      threads.insert(thread)
      inside[thread, default: 0] += change
      if inside[thread] == 0 { inside[thread] = nil }
      peak = max(peak, inside.count)
    }
  }

  private func count(_ census: Protector<Census>, _ body: () -> Void) {
    census.withWriteLock { $0.note(1) }
    body()
    census.withWriteLock { $0.note(-1) }
  }

  @Test("no more threads than processors, the calling one among them")
  func threadsAreLimited() {
    let census = Protector(Census())
    let callerHasBegun = Signal()
    let caller = onAnotherThread { () -> UInt in
      let caller = PlatformThread.current
      (0..<300).concurrentForEach { _ in
        count(census) {
          // Otherwise another thread could run all bodies before the caller continues.
          if PlatformThread.current == caller { callerHasBegun.send() } else { callerHasBegun.wait() }
          for _ in 0..<5 { PlatformThread.yield() }
        }
      }
      return caller
    }
    let result = census.value
    #expect(result.threads.count <= Processors.count)
    #expect(result.peak <= Processors.count)
    #expect(result.threads.contains(caller))
  }

  @Test("iterations inside iterations don't multiply threads")
  func nestedThreadsAreLimited() {
    let census = Protector(Census())
    let sums = onAnotherThread {
      (0..<8).concurrentMap { first in
        (0..<8).concurrentMap { second in
          (0..<8).concurrentMap { third -> Int in
            var sum = 0
            count(census) {
              // While bodies sleep, libdispatch adds threads to its pool, so an iteration that used too many
              // threads would be noticed.
              MonotonicClock.sleep(.microseconds(50))
              sum = 100 * first + 10 * second + third
            }
            return sum
          }.reduce(0, +)
        }.reduce(0, +)
      }.reduce(0, +)
    }
    #expect(sums == 111 * 28 * 64)
    #expect(census.value.peak <= Processors.count)
  }

  @Test("a pool whose threads all iterate does not deadlock")
  func aFullPoolDoesNotDeadlock() async {
    let total = Protector(0)
    await withJobs(on: .global()) { jobs in
      for _ in 0..<200 {
        jobs.add {
          let sum = (0..<10).concurrentMap { first in
            (0..<10).concurrentMap { $0 * first }.reduce(0, +)
          }.reduce(0, +)
          total.withWriteLock { $0 += sum }
        }
      }
    }
    #expect(total.value == 200 * 45 * 45)
  }
}
