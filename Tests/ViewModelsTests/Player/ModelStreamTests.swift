import Protectors
import TestSupport
import Testing
import ViewModels

@MainActor
@Suite struct ModelStreamTests {
  private func makePlayer(_ state: PlayerState = PlayerState()) -> PlayerViewModel {
    PlayerViewModel(state, uploader: PromptUploader())
  }

  /// The values that an observer of `stream` gets while `body` runs.
  private func notified<Input, Value>(
    by stream: ModelStream<Input, Value>, during body: () -> Void
  ) -> [Value] {
    let record = Record<Value>()
    let subscription = stream.observe(record.add)
    body()
    subscription.end()
    return record.values
  }

  // MARK: Stages

  @Test("observers get distinct values only")
  func distinctValues() {
    let player = makePlayer()
    let states = notified(by: player.states) {
      player.perform(.rename("Colin"))
      player.perform(.rename("Ann"))
      player.perform(.rename("Bob"), .rename("Ann"))
      player.perform()
    }
    #expect(states.map(\.name) == ["Colin", "Ann"])
  }

  @Test("map makes distinct values of each state")
  func map() {
    let player = makePlayer()
    let lengths = notified(by: player.states.map(\.name).map(\.count)) {
      player.perform(.stepUp)
      player.perform(.rename("Peter"))
      player.perform(.rename("Ann"))
      player.perform(.rename("Bob"))
      player.perform(.rename("Anna"))
    }
    #expect(lengths == [5, 3, 4])
  }

  @Test("filter leaves out, and what remains is distinct")
  func filter() {
    let player = makePlayer()
    let even = notified(by: player.states.map(\.points).filter { $0.isMultiple(of: 2) }) {
      player.perform(.stepUp)
      player.perform(.stepDown)
      player.perform(.stepUp)
      player.perform(.stepUp)
    }
    #expect(even == [100, 102])
  }

  @Test("skip counts changes")
  func skip() {
    let player = makePlayer()
    func change() {
      player.perform(.rename("Ann"))
      player.perform(.stepUp)
      player.perform(.stepUp)
    }
    let points = player.states.map(\.points)
    #expect(notified(by: points.skip(0), during: change) == [100, 101, 102])
    #expect(notified(by: points.skip(1), during: change) == [103, 104])
    #expect(notified(by: points.skip(2), during: change) == [106])
    #expect(notified(by: points.skip(4), during: change) == [])
  }

  @Test("take counts changes, then ends")
  func take() {
    let player = makePlayer()
    func change() {
      player.perform(.rename(player.state.name + "x"))
      player.perform(.stepUp)
      player.perform(.stepUp)
    }
    let calls = RelaxedCounter()
    let points = player.states.map { state in
      calls.add(1)
      return state.points
    }
    #expect(notified(by: points.take(2), during: change) == [100, 101])
    // The closure of `map` was called for the initial state, a new name and the first `stepUp`. Then the
    // stream has ended, so there are no more calls.
    #expect(calls.value == 3)
    #expect(notified(by: points.take(0), during: change) == [])
    #expect(calls.value == 3)
    #expect(notified(by: points.take(1), during: change) == [104])
    #expect(notified(by: points.take(9), during: change) == [106, 107, 108])
  }

  @Test("stages of take and skip are counted from where they stand")
  func theOrderOfStages() {
    let player = makePlayer()
    func change() { for _ in 0..<5 { player.perform(.stepUp) } }
    let points = player.states.map(\.points)
    #expect(notified(by: points.skip(1).take(2), during: change) == [101, 102])
    player.perform(.reset)
    #expect(notified(by: points.take(2).skip(1), during: change) == [101])
    player.perform(.reset)
    #expect(notified(by: points.take(3).filter { $0 != 102 }, during: change) == [100, 101])
    player.perform(.reset)
    #expect(notified(by: points.take(2).skip(2), during: change) == [])
    player.perform(.reset)
    #expect(notified(by: points.take(3).map { $0 / 2 }, during: change) == [50, 51])
  }

  @Test("a combination is delivered once when both change, and never half-updated")
  func combine() {
    let player = makePlayer()
    let pairs = player.states.map(\.name).combine(player.states.map(\.points)) { "\($0) \($1)" }
    let seen = notified(by: pairs) {
      player.perform(.rename("Ann"), .stepUp)
      player.perform(.stepUp)
      player.perform(.rename("Bob"))
      player.perform(.setMinimum(5))
    }
    #expect(seen == ["Colin 100", "Ann 101", "Ann 102", "Bob 102"])
  }

  @Test("a combination has a value when both have, and ends when both have ended")
  func combinationsEnd() {
    let player = makePlayer()
    let points = player.states.map(\.points)
    func change() { for _ in 0..<4 { player.perform(.stepUp) } }
    func pairs(_ first: ModelStream<PlayerState, Int>, _ second: ModelStream<PlayerState, Int>) -> [[Int]] {
      defer { player.perform(.reset) }
      return notified(by: first.combine(second) { [$0, $1] }, during: change)
    }
    #expect(pairs(points, points.skip(2)) == [[102, 102], [103, 103], [104, 104]])
    #expect(pairs(points.take(2), points.take(3)) == [[100, 100], [101, 101], [101, 102]])
    #expect(pairs(points.take(1), points.skip(3)) == [[100, 103], [100, 104]])
    #expect(pairs(points, points.take(0)) == [])
    #expect(pairs(points, points.take(1).skip(1)) == [])
  }

  @Test func anEndedCombinationComputesNothing() {
    let player = makePlayer()
    let calls = RelaxedCounter()
    let sums = RelaxedCounter()
    let points = player.states.map { state in
      calls.add(1)
      return state.points
    }
    let pairs = points.take(1).combine(points.take(2).filter { $0 < 101 }) { first, second in
      sums.add(1)
      return first + second
    }
    let seen = notified(by: pairs) { for _ in 0..<4 { player.perform(.stepUp) } }
    #expect(seen == [200])
    #expect(calls.value == 3 && sums.value == 1)
    player.perform(.reset)
    player.perform(.reset)
    let both = notified(by: points.take(1).combine(points.take(1)) { $0 + $1 }) { player.perform(.stepUp) }
    #expect(both == [200])
    #expect(calls.value == 5)
    player.perform(.reset)
    let none = notified(by: points.combine(points.take(1).skip(1)) { $0 + $1 }) { player.perform(.stepUp) }
    #expect(none == [])
    #expect(calls.value == 7)
  }

  @Test("a combination of streams without a new value computes nothing")
  func nothingNewToCombine() {
    let player = makePlayer()
    let sums = RelaxedCounter()
    let points = player.states.map(\.points)
    let pairs = points.filter { $0 < 101 }.combine(points.filter { $0 != 101 }) { first, second in
      sums.add(1)
      return first + second
    }
    let seen = notified(by: pairs) { for _ in 0..<3 { player.perform(.stepUp) } }
    // The first stream emits only 100, and the second one 100, 102 and 103. Each sum has the latest value of
    // each stream. At 101 points, neither emits, so nothing is computed.
    #expect(seen == [200, 202, 203])
    #expect(sums.value == 3)
  }

  @Test("equal events are two events, also after map")
  func eventsAreNotDistinct() {
    let player = makePlayer()
    let seen = notified(by: player.events.map(\.message).filter { !$0.isEmpty }.skip(1).take(2)) {
      for _ in 0..<5 { player.perform(.rename("Nobody")) }
    }
    #expect(seen == Array(repeating: "The name Nobody is forbidden.", count: 2))
  }

  @Test func eachObserverHasItsOwnCounters() {
    let player = makePlayer()
    let stream = player.states.map(\.points).take(2)
    let first = Record<Int>()
    let second = Record<Int>()
    let one = stream.observe(first.add)
    player.perform(.stepUp)
    let other = stream.observe(second.add)
    player.perform(.stepUp)
    #expect(first.values == [100, 101])
    #expect(second.values == [101, 102])
    one.end()
    other.end()
  }

  // MARK: Subscriptions

  @Test func anObserverIsCalledUntilItsSubscriptionEnds() {
    let lifetimes = Lifetimes()
    let player = makePlayer()
    let record = Record<Int>()
    func observe(_ tracked: Tracked) -> StreamSubscription {
      player.states.map(\.points).observe { points in
        withExtendedLifetime(tracked) { record.add(points) }
      }
    }
    do {
      let subscription = observe(Tracked(lifetimes))
      withExtendedLifetime(subscription) { player.perform(.stepUp) }
      #expect(lifetimes.alive == 1)
    }
    player.perform(.stepUp)
    #expect(record.values == [100, 101])
    #expect(lifetimes.alive == 0)
  }

  @Test func observersMayEndEachOtherAndThemselves() {
    final class Owner {
      var subscription: StreamSubscription?
    }
    let player = makePlayer()
    let log = Record<String>()
    let first = Owner()
    let second = Owner()
    first.subscription = player.states.map(\.points).observe { points in
      log.add("first \(points)")
      if points == 101 { second.subscription = nil }
      if points == 102 { first.subscription = nil }
    }
    second.subscription = player.states.map(\.points).observe { log.add("second \($0)") }
    for _ in 0..<4 { player.perform(.stepUp) }
    #expect(log.values == ["first 100", "second 100", "first 101", "first 102"])
  }

  @Test func anObserverMayAddAnother() {
    final class Owner {
      var subscriptions: [Int: Box] = [:]
      final class Box {
        let subscription: StreamSubscription
        init(_ subscription: consuming StreamSubscription) { self.subscription = subscription }
      }
    }
    let player = makePlayer()
    let owner = Owner()
    let log = Record<String>()
    let points = player.states.map(\.points)
    let subscription = points.observe { value in
      log.add("outer \(value)")
      owner.subscriptions[value] = Owner.Box(points.observe { log.add("inner \(value): \($0)") })
    }
    player.perform(.stepUp)
    #expect(
      log.values == ["outer 100", "inner 100: 100", "outer 101", "inner 101: 101", "inner 100: 101"])
    subscription.end()
  }

  @Test func aSubscriptionMayEndOnAnyThread() {
    let lifetimes = Lifetimes()
    let player = makePlayer(PlayerState(pointUpdateLimit: .max))
    let calls = RelaxedCounter()
    let started = MeetingPoint(parties: 2)
    for _ in 0..<StressSize.pick(quick: 50, full: 2_000) {
      let tracked = Tracked(lifetimes)
      let box = SubscriptionBox(
        player.states.observe { _ in withExtendedLifetime(tracked) { _ = calls.add(1) } })
      let thread = ReaderThread {
        started.meet()
        box.subscription.withWriteLock { $0 = nil }
      }
      started.meet()
      for _ in 0..<20 { player.perform(.stepUp) }
      thread.join()
      let before = calls.value
      player.perform(.stepUp)
      #expect(calls.value == before)
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func streamsEndWithTheirModel() {
    let lifetimes = Lifetimes()
    weak var released: PlayerViewModel?
    let stream: ModelStream<PlayerState, Int>
    let record = Record<Int>()
    do {
      let player = makePlayer()
      released = player
      stream = player.states.map(\.points)
      let tracked = Tracked(lifetimes)
      let subscription = stream.observe { points in
        withExtendedLifetime(tracked) { record.add(points) }
      }
      withExtendedLifetime(subscription) { player.perform(.stepUp) }
    }
    #expect(released == nil)
    #expect(lifetimes.alive == 0)
    #expect(notified(by: stream) {} == [])
    #expect(record.values == [100, 101])
  }
}
