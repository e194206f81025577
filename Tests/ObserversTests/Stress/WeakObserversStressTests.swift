import Observers
import TestSupport
import Testing

/// Tests threads that register, release and call observers at the same time.
@Suite(.serialized) struct WeakObserversStressTests {
  private final class Observer: Sendable {
    private let tracked: Tracked
    private let calls: RelaxedCounter

    init(_ lifetimes: Lifetimes, _ calls: RelaxedCounter) {
      tracked = Tracked(lifetimes)
      self.calls = calls
    }

    func receive() { calls.add(1) }
  }

  @Test func everythingAtOnce() {
    let threads = 8
    let lifetimes = Lifetimes()
    let calls = RelaxedCounter()
    let observers = WeakObservers<Observer>()
    let stays = Observer(Lifetimes(), RelaxedCounter())
    observers.add(whileAlive: stays)
    let misses = race(threads: threads) { index -> Int in
      var random = Seed.current.generator(stream: index)
      var kept: [Observer] = []
      var misses = 0
      for _ in 0..<StressSize.pick(quick: 1_000, full: 50_000) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          kept.append(Observer(lifetimes, calls))
          observers.add(whileAlive: kept.last!)
        case 1 where !kept.isEmpty:
          kept.removeFirst()
        case 2 where !kept.isEmpty:
          observers.remove(kept.removeLast())
        case 3:
          let observer = Observer(lifetimes, calls)
          let token = observers.add(observer)
          observers.forEach { $0.receive() }
          token.end()
        default:
          var isThere = false
          observers.forEach { observer in
            observer.receive()
            if observer === stays { isThere = true }
          }
          // An observer that stays registered must be called, whatever other threads do meanwhile.
          if !isThere { misses += 1 }
        }
        if kept.count > 8 { kept.removeFirst() }
      }
      return misses
    }
    #expect(misses.allSatisfy { $0 == 0 }, "\(Seed.current)")
    #expect(lifetimes.alive == 0, "\(Seed.current)")
    #expect(calls.value > 0)
    var left = 0
    observers.forEach { _ in left += 1 }
    #expect(left == 1)
    #expect(observers.entryCount <= 1 + threads)
    withExtendedLifetime(stays) {}
  }
}
