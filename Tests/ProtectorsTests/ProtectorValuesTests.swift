import InterlockCore
import ReadWriteLocks
import TestSupport
import Testing

@testable import Protectors

/// Tests `values(of:)`, the asynchronous sequence of a protector's values.
@Suite struct ProtectorValuesTests {
  private let players = Protector(Players())

  private struct Players: Sendable {
    var points = 0
    var names: [String] = []
  }

  @Test func theFirstValueIsTheCurrentOne() async {
    let players = Protector(Players(points: 3))
    var values = players.values(of: { $0.points }).makeAsyncIterator()
    players.withWriteLock { $0.points = 4 }
    #expect(await values.next() == 4)
    #expect(players.count == 1)
  }

  @Test(.timeLimit(.minutes(10))) func aSlowTaskGetsTheNewestValueOnly() async {
    var values = players.values(of: \.points).makeAsyncIterator()
    #expect(await values.next() == 0)
    for points in 1...5 {
      players.withWriteLock { $0.points = points }
      // The first write takes the iterator's observer from the queue, so later writes have no waiter to
      // notify.
      #expect(players.count == 0)
    }
    #expect(await values.next() == 5)
    players.withWriteLock { $0.points = 6 }
    #expect(await values.next() == 6)
  }

  /// A value that can't be compared.
  private struct Points: Sendable {
    var number: Int
  }

  /// Every write section counts as a change of values that can't be compared, even one that does not change
  /// the observed property.
  @Test(.timeLimit(.minutes(10))) func eachWriteSectionIsAChange() async throws {
    var values = players.values(of: { Points(number: $0.points) }).makeAsyncIterator()
    #expect(await values.next()?.number == 0)
    players.withWriteLock { $0.names = ["Ann"] }
    #expect(await values.next()?.number == 0)
    players.exchange(Players(points: 7))
    #expect(await values.next()?.number == 7)
    let old = try await players.withWriteLock(waitingUntil: { $0.points == 7 }, timeout: .zero) { players in
      defer { players.points = 8 }
      return players.points
    }
    #expect(old == 7)
    #expect(await values.next()?.number == 8)
  }

  /// After a change to an equal value the iterator waits again.
  @Test(.timeLimit(.minutes(10))) func equalValuesAreSkipped() async {
    var values = players.values(of: { $0.points }).makeAsyncIterator()
    #expect(await values.next() == 0)
    let writer = Task {
      for name in 0..<3 {
        // Waits until the iterator has seen the previous change, and waits again.
        while players.count == 0 { await Task.yield() }
        players.withWriteLock { $0.names = ["\(name)"] }
      }
      while players.count == 0 { await Task.yield() }
      players.withWriteLock { $0.points = 1 }
    }
    #expect(await values.next() == 1)
    await writer.value
    players.withWriteLock { $0.points = 0 }
    #expect(await values.next() == 0)
  }

  /// The iterator needs the values that it returned only to compare them.
  @Test func anIteratorKeepsNoValueThatIsNotCompared() async {
    let lifetimes = Lifetimes()
    let number = Protector(1)
    var values = number.values(of: { Tracked(lifetimes, number: $0) }).makeAsyncIterator()
    #expect(await values.next()?.number == 1)
    #expect(lifetimes.alive == 0)
    number.withWriteLock { $0 = 2 }
    #expect(await values.next()?.number == 2)
    #expect(lifetimes.alive == 0)
  }

  /// A value that is `nil` must not end the sequence: `next()` returns `.some(nil)`.
  @Test(.timeLimit(.minutes(10))) func valuesMayBeNil() async {
    let answer = Protector<Int?>(nil)
    var values = answer.values(of: { $0 }).makeAsyncIterator()
    #expect(await values.next() == .some(nil))
    answer.withWriteLock { $0 = 42 }
    #expect(await values.next() == 42)
  }

  @Test(.timeLimit(.minutes(10))) func theSequenceEndsWithTheTask() async {
    let waiting = Task {
      var count = 0
      for await _ in players.values(of: { $0.points }) { count += 1 }
      return count
    }
    while players.count == 0 { await Task.yield() }
    waiting.cancel()
    #expect(await waiting.value == 1)
    #expect(players.count == 0)
    let seen = await inCancelledTask {
      var values = players.values(of: { $0.points }).makeAsyncIterator()
      let first = await values.next()
      return (first, await values.next())
    }
    #expect(seen == (nil, nil))
    #expect(players.count == 0)
  }

  /// A task that is cancelled after a change gets `nil` instead of the new value.
  @Test(.timeLimit(.minutes(10))) func aCancelledTaskGetsNoChange() async {
    let task = Task {
      var values = players.values(of: { $0.points }).makeAsyncIterator()
      let first = await values.next()
      while !Task.isCancelled { await Task.yield() }
      return (first, await values.next(), await values.next())
    }
    while players.count == 0 { await Task.yield() }
    players.withWriteLock { $0.points = 1 }
    task.cancel()
    #expect(await task.value == (0, nil, nil))
    #expect(players.count == 0)
  }

  @Test func anIteratorLeavesNothingBehind() async {
    for hasChanged in [false, true] {
      var values: ProtectorValues<Int>.AsyncIterator? = players.values(of: { $0.points }).makeAsyncIterator()
      #expect(await values?.next() == 0)
      #expect(players.count == 1)
      if hasChanged { players.withWriteLock { $0.names = [] } }
      values = nil
      #expect(players.count == 0)
      players.withWriteLock { $0.names = [] }
    }
  }

  @Test func anIteratorThatHasEndedStaysSo() async {
    let values = Unguarded(players.values(of: { $0.points }).makeAsyncIterator())
    #expect(await values.value.next() == 0)
    #expect(await inCancelledTask { await values.value.next() } == nil)
    #expect(players.count == 0)
    players.withWriteLock { $0.points = 1 }
    #expect(await values.value.next() == nil)
  }

  @Test func aCopyOfTheValueIsNoChange() async {
    let players = Protector(0)
    let exclusive = ExclusiveProtector(0)
    var values = players.values(of: { $0 }).makeAsyncIterator()
    var others = exclusive.values(of: { $0 }).makeAsyncIterator()
    #expect(await values.next() == 0)
    #expect(await others.next() == 0)
    #expect(players.value + exclusive.value == 0)
    #expect(players.count == 1 && exclusive.count == 1)
  }

  /// The queue retains an observer while the observer's waiter is queued.
  ///
  /// The queue must release the observer at the end of a write section (`hasChanged` is true), and when the
  /// observer leaves the queue (`hasChanged` is false).
  @Test(arguments: [false, true]) func theQueueReleasesTheObserver(hasChanged: Bool) {
    weak var ended: ValueObserver?
    do {
      let observer = ValueObserver(queue: players.waiters.key, Primitive(.predicate))
      ended = observer
      players.ownLock.withWriteLock { observer.join() }
    }
    #expect(ended != nil)
    if hasChanged { players.withWriteLock { $0.points = 1 } } else { ended?.leave() }
    #expect(ended == nil)
  }

  @Test(.timeLimit(.minutes(10))) func iteratorsAreIndependent() async {
    let sequence = players.values(of: { $0.points })
    var fast = sequence.makeAsyncIterator()
    var slow = sequence.makeAsyncIterator()
    #expect(await fast.next() == 0)
    #expect(await slow.next() == 0)
    players.withWriteLock { $0.points = 1 }
    #expect(await fast.next() == 1)
    players.withWriteLock { $0.points = 2 }
    #expect(await fast.next() == 2)
    #expect(await slow.next() == 2)
    #expect(players.count == 2)
    #expect(players.waiters.cancellableCount == 2)
  }

  /// An iterator of the sequence must keep the protector alive, and must release it when the iterator is
  /// destroyed.
  @Test func theSequenceKeepsTheProtectorAlive() async {
    weak var protector: Protector<Players>?
    do {
      var values: ProtectorValues<Int>.AsyncIterator
      do {
        let players = Protector(Players(points: 9))
        protector = players
        values = players.values(of: { $0.points }).makeAsyncIterator()
      }
      #expect(await values.next() == 9)
      #expect(protector != nil)
      protector?.withWriteLock { $0.points = 10 }
      #expect(await values.next() == 10)
    }
    #expect(protector == nil)
  }

  /// No delivered value may be destroyed in a critical section of the protector.
  ///
  /// Each value is an object whose `deinit` acquires the protector's lock, which would trap in such a
  /// section.
  @Test(.timeLimit(.minutes(10))) func noValueIsDestroyedUnderTheLock() async {
    final class Reader: Sendable {
      let protector: Protector<Int>
      let ends: RelaxedCounter
      init(_ protector: Protector<Int>, _ ends: RelaxedCounter) {
        self.protector = protector
        self.ends = ends
      }
      deinit {
        protector.withWriteLock { _ in }
        ends.add(1)
      }
    }
    let protector = Protector(0)
    let ends = RelaxedCounter()
    do {
      var readers = protector.values(of: { [unowned protector] _ in Reader(protector, ends) })
        .makeAsyncIterator()
      for _ in 0..<3 {
        _ = await readers.next()
        protector.withWriteLock { $0 += 1 }
      }
    }
    #expect(ends.value == 3)
  }

  @Test(.timeLimit(.minutes(10))) func valuesOfNonSendableAndNoncopyableStates() async {
    final class Text { var count = 1 }
    let text = ExclusiveProtector(Text())
    var counts = text.values(of: { $0.count }).makeAsyncIterator()
    #expect(await counts.next() == 1)
    text.withLock { $0.count = 2 }
    #expect(await counts.next() == 2)
    let lifetimes = Lifetimes()
    let token = Protector(TrackedToken(lifetimes, number: 1))
    var numbers = token.values(of: { $0.number }).makeAsyncIterator()
    #expect(await numbers.next() == 1)
    token.withWriteLock { $0 = TrackedToken(lifetimes, number: 2) }
    #expect(await numbers.next() == 2)
  }

  /// `next()` must not suspend the task if it can return a value immediately.
  ///
  /// Another task of the main actor would run during a suspension, and would set `hasRun`.
  @Test @MainActor func neitherTheCurrentValueNorAChangeSuspends() async {
    var hasRun = false
    let other = Task { hasRun = true }
    var values = players.values(of: { $0.points }).makeAsyncIterator()
    for points in 0..<10 {
      let value = await values.next(isolation: MainActor.shared)
      #expect(value == points)
      players.withWriteLock { $0.points += 1 }
    }
    #expect(!hasRun)
    await other.value
  }
}
