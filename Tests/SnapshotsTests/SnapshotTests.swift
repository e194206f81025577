import Snapshots
import TestSupport
import Testing

@Suite struct SnapshotTests {
  struct Refused: Error {}

  @Test func theCopyOfAnUpdateThatFailsIsDestroyed() {
    let lifetimes = Lifetimes()
    do {
      let value = Snapshot(Tracked(lifetimes))
      #expect(throws: Refused.self) {
        try value.update { value throws(Refused) in
          value = Tracked(lifetimes)
          throw Refused()
        }
      }
      #expect(lifetimes.made == 2 && lifetimes.alive == 1)
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func aReadSeesTheNewestValue() {
    let numbers = Snapshot([1])
    #expect(numbers.withCurrent { $0.count } == 1)
    numbers.publish([1, 2])
    #expect(numbers.current == [1, 2])
    numbers.update { $0.append(3) }
    #expect(numbers.current == [1, 2, 3])
  }

  #if os(Linux)
    /// A `deinit` may start a process, which inherits the mask.
    @Test func onlyDeinitsOfReplacedValuesTakeSignalsOfTheProgram() {
      typealias End = (takesSignals: Bool, thread: String)
      final class Value: Sendable {
        let ended: Monitor<End?>
        init(_ ended: Monitor<End?>) { self.ended = ended }
        deinit { ended.enter { $0 = (!leavesSignals, folderOfThread) } }
      }
      let value = Snapshot<Value?>(nil)
      func replaceOne() -> End {
        let ended = Monitor<End?>(nil)
        value.publish(Value(ended))
        value.publish(nil)
        return ended.enter(when: { $0 != nil }, { $0! })
      }
      var end = replaceOne()
      while true {
        #expect(end.takesSignals)
        guard let leavesSignals = leavesSignals(threadIn: end.thread) else {
          // If this thread runs late, the other one may have ended meanwhile.
          end = replaceOne()
          continue
        }
        if leavesSignals { break }
        // The thread is alive while values are replaced.
        value.publish(nil)
      }
    }
  #endif

  @Test func aReadKeepsItsValueWhileOthersPublish() {
    let number = Snapshot(1)
    let (before, after) = number.withCurrent { value in
      number.publish(2)
      onAnotherThread { number.publish(3) }
      return (value, number.current)
    }
    #expect(before == 1)
    #expect(after == 3)
  }

  @Test func readAndUpdateReturnAndThrowWhatTheirBodiesDo() {
    let number = Snapshot(1)
    #expect(
      number.update {
        $0 += 1
        return "updated"
      } == "updated")
    #expect(throws: Refused.self) { try number.withCurrent { _ in throw Refused() } }
    #expect(throws: Refused.self) {
      try number.update {
        $0 = 7
        throw Refused()
      }
    }
    #expect(number.current == 2)
    // The lock must be free after an update that threw, so another update succeeds.
    number.update { $0 += 1 }
    #expect(number.current == 3)
  }

  @Test func anUpdateThatThrowsDestroysItsCopyOutsideTheLock() {
    /// Publishes when it is destroyed.
    final class Publisher: Sendable {
      let cell: Snapshot<[Publisher]>
      init(_ cell: Snapshot<[Publisher]>) { self.cell = cell }
      deinit { cell.publish([]) }
    }
    let cell = Snapshot<[Publisher]>([])
    #expect(throws: Refused.self) {
      try cell.update {
        $0 = [Publisher(cell)]
        throw Refused()
      }
    }
    #expect(cell.withCurrent { $0.count } == 0)
  }

  @Test func aNoncopyableValueIsReadAndPublished() {
    let lifetimes = Lifetimes()
    do {
      let token = Snapshot(TrackedToken(lifetimes, number: 1))
      token.publish(TrackedToken(lifetimes, number: 2))
      #expect(token.withCurrent { $0.number } == 2)
      eventually { lifetimes.alive == 1 }
    }
    #expect(lifetimes.alive == 0)
  }

  @Test(arguments: [1, 4, 5, 40])
  func readsNest(depth: Int) {
    let cells = (0..<depth).map { Snapshot($0) }
    func sum(from index: Int) -> Int {
      index == depth ? 0 : cells[index].withCurrent { $0 + sum(from: index + 1) }
    }
    #expect(sum(from: 0) == depth * (depth - 1) / 2)
    #expect(sum(from: 0) == depth * (depth - 1) / 2)
  }

  @Test func noUpdateIsLost() {
    let sum = Snapshot(0)
    let rounds = StressSize.pick(quick: 1_000, full: 100_000)
    race(threads: 4) { _ in
      for _ in 0..<rounds { sum.update { $0 += 1 } }
    }
    #expect(sum.current == 4 * rounds)
  }

  @Test func aReaderSeesOneValueAndNeverAnOlderOneLater() {
    let pair = Snapshot([0, 0])
    let rounds = StressSize.pick(quick: 5_000, full: 1_000_000)
    let problems = race(threads: 4) { index in
      var problems = 0
      var last = 0
      for round in 1...rounds {
        if index == 0 {
          pair.publish([round, -round])
        } else {
          pair.withCurrent {
            if $0[0] != -$0[1] || $0[0] < last { problems += 1 }
            last = $0[0]
          }
        }
      }
      return problems
    }
    #expect(problems == [0, 0, 0, 0])
  }

  @Test func aValueOfNoBytesIsPublished() {
    let nothing = Snapshot(())
    nothing.publish(())
    #expect(nothing.withCurrent { _ in true })
  }
}

/// Waits until `condition` holds; the watchdog ends the process if it never does.
func eventually(_ condition: () -> Bool) {
  while !condition() { MonotonicClock.sleep(.milliseconds(1)) }
}
