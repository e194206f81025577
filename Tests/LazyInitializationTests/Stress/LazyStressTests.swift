import LazyInitialization
import TestSupport
import Testing

/// Tests many threads that read one `Lazy`, or fill one `OnceCell`, for the first time.
@Suite(.serialized) struct LazyStressTests {
  private struct Failure: Error {}

  private let threads = 16

  @Test func theValueIsMadeOnceAndSeenWhole() {
    let lifetimes = Lifetimes()
    let captures = Lifetimes()
    let rounds = StressSize.pick(quick: 300, full: 10_000)
    do {
      let lazies = (0..<rounds).map { number in
        let captured = Tracked(captures, number: number)
        return Lazy { Tracked(lifetimes, number: captured.number) }
      }
      let meeting = MeetingPoint(parties: threads)
      let faults = race(threads: threads) { _ -> Int in
        lazies.indices.count { number in
          meeting.meet()
          let lazy = lazies[number]
          // A read that never waits finds no value or a complete one, whatever the timing.
          if let early = lazy.valueIfComplete, early.number != number { return true }
          return lazy.value.number != number
        }
      }
      #expect(faults.allSatisfy { $0 == 0 })
      #expect(lifetimes.made == rounds)
      withExtendedLifetime(lazies) { #expect(lifetimes.alive == rounds) }
      #expect(captures.alive == 0)
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func aCellIsFilledOnceAmongFailures() {
    let lifetimes = Lifetimes()
    let rounds = StressSize.pick(quick: 200, full: 10_000)
    do {
      let cells = (0..<rounds).map { _ in Box() }
      let meeting = MeetingPoint(parties: threads)
      let faults = race(threads: threads) { index -> Int in
        var random = Seed.current.generator(stream: index)
        return cells.count { box in
          meeting.meet()
          while true {
            if random.happens(percent: 20) {
              if box.cell.set(Tracked(lifetimes, number: index)) == nil { box.wins.add(1) }
              return false
            }
            do throws(Failure) {
              let object = try box.cell.value(orInitialize: { () throws(Failure) -> Tracked in
                if random.happens(percent: 60) { throw Failure() }
                box.wins.add(1)
                return Tracked(lifetimes, number: index)
              })
              return !(0..<threads).contains(object.number) || box.cell.value !== object
            } catch {
              continue
            }
          }
        }
      }
      #expect(faults.allSatisfy { $0 == 0 }, "\(Seed.current)")
      #expect(cells.allSatisfy { $0.wins.value == 1 }, "\(Seed.current)")
      withExtendedLifetime(cells) { #expect(lifetimes.alive == rounds, "\(Seed.current)") }
    }
    #expect(lifetimes.alive == 0)
  }

  private final class Box: Sendable {
    let cell = OnceCell<Tracked>()
    let wins = RelaxedCounter()
  }
}
