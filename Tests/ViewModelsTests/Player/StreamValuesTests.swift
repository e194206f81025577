import TestSupport
import Testing

@testable import ViewModels

/// An element whose `deinit` closes the mailbox that held it.
private final class MailboxUser: Sendable {
  private let mailbox: StreamMailbox<MailboxUser>
  private let isDestroyed: RelaxedFlag

  init(_ mailbox: StreamMailbox<MailboxUser>, _ isDestroyed: RelaxedFlag) {
    self.mailbox = mailbox
    self.isDestroyed = isDestroyed
  }

  deinit {
    mailbox.close()
    isDestroyed.set()
  }
}

@MainActor
@Suite(.timeLimit(.minutes(20))) struct StreamValuesTests {
  private func makePlayer(_ state: PlayerState = PlayerState(pointUpdateLimit: 1_000)) -> PlayerViewModel {
    PlayerViewModel(state, uploader: PromptUploader())
  }

  @Test("an AsyncSequence of the values, from now on")
  func values() async {
    let player = makePlayer()
    let values = player.states.map(\.points).values()
    var seen: [Int] = []
    for await points in values {
      seen.append(points)
      if points == 103 { break }
      player.perform(.stepUp)
    }
    #expect(seen == [100, 101, 102, 103])
  }

  @Test("a reader that waits is resumed by the next value")
  func aReaderThatWaits() async {
    let player = makePlayer()
    let points = player.states.map(\.points).values()
    let reader = Task { @MainActor in
      var seen: [Int] = []
      for await value in points {
        seen.append(value)
        guard value == 100 else {
          break
        }
        // The task can run only while the reader waits, because both run on the main actor.
        Task { @MainActor in player.perform(.stepUp) }
      }
      return seen
    }
    #expect(await reader.value == [100, 101])
  }

  @Test("a slow reader of values gets the latest, one of events gets all")
  func slowReaders() async {
    let player = makePlayer()
    let latest = player.states.map(\.points).values()
    let all = player.states.map(\.points).take(4).values(buffering: .all)
    let events = player.events.map(\.message).take(3).values()
    let latestEvent = player.events.map(\.message).take(3).values(buffering: .latest)
    for name in ["Nobody", "Anonymous", "Nobody", "Anonymous"] { player.perform(.stepUp, .rename(name)) }

    var iterator = latest.makeAsyncIterator()
    #expect(await iterator.next() == 104)
    player.perform(.stepUp)
    #expect(await iterator.next() == 105)

    #expect(await Array(collecting: all) == [100, 101, 102, 103])
    let names = await Array(collecting: events).map { $0.split(separator: " ")[2] }
    #expect(names == ["Nobody", "Anonymous", "Nobody"])
    #expect(await Array(collecting: latestEvent) == ["The name Nobody is forbidden."])
  }

  @Test("a value that is replaced is destroyed after the unlock, so its destruction may use the mailbox")
  func aReplacedValueIsDestroyedAfterTheUnlock() {
    let mailbox = StreamMailbox<MailboxUser>(buffering: .latest)
    let isDestroyed = RelaxedFlag()
    let isOpen = mailbox.put(MailboxUser(mailbox, isDestroyed))
    #expect(isOpen && !isDestroyed.isSet)
    _ = mailbox.put(MailboxUser(mailbox, RelaxedFlag()))
    #expect(isDestroyed.isSet)
    mailbox.cancel()
  }

  @Test func aLongBacklogComesInOrder() async {
    let player = makePlayer()
    let all = player.states.map(\.points).take(500).values(buffering: .all)
    var iterator = all.makeAsyncIterator()
    for _ in 0..<50 { player.perform(.stepUp) }
    #expect(await iterator.next() == 100)
    for _ in 0..<449 { player.perform(.stepUp) }
    var seen = [100]
    while let points = await iterator.next() { seen.append(points) }
    #expect(seen == Array(100..<600))
    #expect(await iterator.next() == nil)
  }

  @Test("a sequence ends with take")
  func theEndByTake() async {
    let player = makePlayer()
    #expect(await Array(collecting: player.states.map(\.points).take(1).values()) == [100])
    #expect(await Array(collecting: player.states.map(\.points).take(0).values()) == [])
    let first = player.states.map(\.points).take(1)
    #expect(await Array(collecting: first.combine(first) { $0 + $1 }.values()) == [200])
  }

  @Test("a sequence ends with its model, also under a reader that waits")
  func theEndOfTheModel() async {
    var player: PlayerViewModel? = makePlayer()
    let events = player!.events.values()
    let late = player!.events
    let reader = Task { await Array(collecting: events) }
    player!.perform(.rename("Nobody"))
    player = nil
    #expect(await reader.value == [.forbiddenName("Nobody")])
    #expect(await Array(collecting: late.values()) == [])
  }

  @Test("a reader whose task is cancelled gets the end, and the stream is no longer computed")
  func cancellation() async {
    let player = makePlayer()
    let calls = RelaxedCounter()
    let points = player.states.map { state in
      calls.add(1)
      return state.points
    }
    let values = points.values()
    let first = Signal()
    let reader = Task.detached {
      var seen: [Int] = []
      for await value in values {
        seen.append(value)
        first.send()
      }
      return seen
    }
    first.wait()
    reader.cancel()
    #expect(await reader.value == [100])
    player.perform(.stepUp)
    let before = calls.value
    player.perform(.stepUp)
    #expect(calls.value == before)
    // A task that is cancelled before it begins to read must get no values, not even buffered ones.
    let other = points.values()
    let late = Task { @MainActor in await Array(collecting: other) }
    late.cancel()
    #expect(await late.value == [])
    withExtendedLifetime(values) {}
  }

  @Test("cancelled under one reader, the sequence has ended for later ones")
  func laterReaders() async {
    let player = makePlayer()
    let values = player.states.map(\.points).values()
    let reader = Task { @MainActor in await Array(collecting: values) }
    reader.cancel()
    #expect(await reader.value == [])
    player.perform(.stepUp)
    #expect(await Array(collecting: values) == [])
    // The end of one sequence must not end another sequence of the same stream.
    var others = player.states.map(\.points).values().makeAsyncIterator()
    #expect(await others.next() == 101)
  }

  @Test func aReleasedSequenceCollectsNothing() async {
    let lifetimes = Lifetimes()
    let player = makePlayer()
    func values(_ tracked: Tracked) -> StreamValues<Int> {
      player.states.map { state in withExtendedLifetime(tracked) { state.points } }.values()
    }
    do {
      var iterator = values(Tracked(lifetimes)).makeAsyncIterator()
      #expect(lifetimes.alive == 1)
      #expect(await iterator.next() == 100)
    }
    #expect(lifetimes.alive == 0)
  }

  @Test("a reader in the background gets values in order, and the last one")
  func aReaderInTheBackground() async {
    let player = makePlayer(PlayerState(pointUpdateLimit: .max))
    let updates = StressSize.pick(quick: 2_000, full: 100_000)
    for buffering in [StreamBuffering.latest, .all] {
      player.perform(.reset)
      let values = player.states.map(\.points).values(buffering: buffering)
      let reader = Task.detached {
        var seen: [Int] = []
        for await points in values {
          seen.append(points)
          if points == 100 + updates { break }
        }
        return seen
      }
      for _ in 0..<updates { player.perform(.stepUp) }
      let seen = await reader.value
      #expect(seen == seen.sorted() && Set(seen).count == seen.count)
      #expect(seen.last == 100 + updates)
      if buffering == .all { #expect(seen.count == updates + 1) }
    }
  }
}

extension Array {
  /// Collects all values of a sequence that ends.
  fileprivate init<Values: AsyncSequence>(collecting values: Values) async
  where Values.Element == Element, Values.Failure == Never {
    self = []
    for await value in values { append(value) }
  }
}
