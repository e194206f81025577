import Jobs
import TestSupport
import Testing

/// In these tests, a `Task.immediate` waits in the mailbox when the call that makes it returns.
@Suite(.timeLimit(.minutes(10))) struct MailboxTests {
  private let mailbox = Mailbox<Int>(capacity: 1)

  // MARK: Room

  @Test(arguments: [1, 2, 5]) func aFullMailboxRefusesElements(capacity: Int) async throws {
    let mailbox = Mailbox<Int>(capacity: capacity)
    let others = Mailbox<Int>(capacity: .max)
    for round in 0..<3 {
      for number in 0..<capacity { #expect(mailbox.sendIfRoom(10 * round + number)) }
      #expect(!mailbox.sendIfRoom(-1))
      for number in 0..<capacity { #expect(try await mailbox.receive() == 10 * round + number) }
      #expect(others.sendIfRoom(round))
    }
  }

  @MainActor @Test func callsThatNeedNotWaitDoNotSuspend() async throws {
    let mailbox = Mailbox<Int>(capacity: 10)
    let others = Unguarded(0)
    let other = Task { @MainActor in others.value += 1 }
    for number in 0..<10 { #expect(try await mailbox.send(number)) }
    var iterator = mailbox.makeAsyncIterator()
    for number in 0..<10 { #expect(await iterator.next(isolation: #isolation) == number) }
    #expect(others.value == 0)
    await other.value
  }

  @MainActor @Test func theCallsReturnToTheirActor() async throws {
    let echo = Mailbox<Int>(capacity: 1)
    async let echoes: Void = { () async throws in
      for await number in mailbox { #expect(try await echo.send(number)) }
      echo.finish()
    }()
    for number in 0..<10 {
      #expect(try await mailbox.send(number))
      MainActor.assertIsolated()
      #expect(try await echo.receive() == number)
      MainActor.assertIsolated()
    }
    mailbox.finish()
    for await _ in echo {}
    try await echoes
    MainActor.assertIsolated()
  }

  @Test func threadsSendIfThereIsRoom() async throws {
    let mailbox = Mailbox<Int>(capacity: 1_000)
    let sent = await onAThread {
      race(threads: 4) { thread in
        (0..<500).count { mailbox.sendIfRoom(thread * 500 + $0) }
      }
    }
    #expect(sent.reduce(0, +) == 1_000)
    mailbox.finish()
    var received: Set<Int> = []
    for await number in mailbox { received.insert(number) }
    #expect(received.count == 1_000)
  }

  // MARK: The end

  @Test func elementsAreReceivedAfterTheEnd() async throws {
    let mailbox = Mailbox<Int>(capacity: 3)
    #expect(try await mailbox.send(1))
    #expect(try await mailbox.send(2))
    mailbox.finish()
    mailbox.finish()
    #expect(try await !mailbox.send(3))
    #expect(!mailbox.sendIfRoom(4))
    #expect(try await mailbox.receive() == 1)
    #expect(try await mailbox.receive() == 2)
    #expect(try await mailbox.receive() == nil)
    #expect(try await mailbox.receive() == nil)
    #expect(!mailbox.sendIfRoom(5))
  }

  @Test func theEndEndsTheWaitOfSenders() async throws {
    #expect(try await mailbox.send(1))
    let senders = (2..<12).map { number in Task.immediate { try await mailbox.send(number) } }
    mailbox.finish()
    for sender in senders { #expect(try await !sender.value) }
    #expect(try await mailbox.receive() == 1)
    #expect(try await mailbox.receive() == nil)
  }

  @Test func theEndEndsTheWaitOfReceivers() async throws {
    let receivers = (0..<10).map { _ in Task.immediate { try await mailbox.receive() } }
    mailbox.finish()
    for receiver in receivers { #expect(try await receiver.value == nil) }
  }

  // MARK: Cancellation

  @Test func aCancelledSenderSendsNothing() async throws {
    let lifetimes = Lifetimes()
    let mailbox = Mailbox<Tracked>(capacity: 1)
    #expect(try await mailbox.send(Tracked(lifetimes, number: 1)))
    let cancelled = Task.immediate { try await mailbox.send(Tracked(lifetimes, number: 2)) }
    let sender = Task.immediate { try await mailbox.send(Tracked(lifetimes, number: 3)) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try await mailbox.receive()?.number == 1)
    #expect(try await sender.value)
    #expect(lifetimes.alive == 1)
    #expect(try await mailbox.receive()?.number == 3)
  }

  @Test func aTaskThatIsCancelledAlreadyDoesNotWait() async throws {
    let ends = await inCancelledTask {
      [
        await ending { () async throws in #expect(try await mailbox.send(1)) },
        await ending { try await mailbox.send(2) },
        await ending { () async throws in #expect(try await mailbox.receive() == 1) },
        await ending { try await mailbox.receive() },
      ]
    }
    #expect(ends == [.returned, .cancelled, .returned, .cancelled])
    #expect(mailbox.sendIfRoom(3))
    mailbox.finish()
    // The end needs no wait.
    let late = await inCancelledTask {
      [
        await ending { () async throws in #expect(try await !mailbox.send(4)) },
        await ending { () async throws in #expect(try await mailbox.receive() == 3) },
        await ending { () async throws in #expect(try await mailbox.receive() == nil) },
      ]
    }
    #expect(late == [.returned, .returned, .returned])
  }

  @Test func aCancelledReceiverTakesNothing() async throws {
    let cancelled = Task.immediate { try await mailbox.receive() }
    let receiver = Task.immediate { try await mailbox.receive() }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try await mailbox.send(1))
    #expect(try await receiver.value == 1)
  }

  /// As with an `AsyncStream`, a loop has no error: it ends when its task is cancelled.
  @Test(arguments: [false, true]) func cancellationEndsALoop(isCancelledBefore: Bool) async {
    let loop: @Sendable () async -> [Int] = {
      var numbers: [Int] = []
      for await number in mailbox { numbers.append(number) }
      return numbers
    }
    #expect(mailbox.sendIfRoom(1))
    if isCancelledBefore {
      #expect(await inCancelledTask { await loop() } == [1], "an element that is there is received")
    } else {
      let task = Task.immediate { await loop() }
      task.cancel()
      #expect(await task.value == [1])
    }
    #expect(mailbox.sendIfRoom(2), "the mailbox has not ended")
  }

  // MARK: Elements

  /// Its deinit acquires the lock of the mailbox, which traps in a critical section of the same thread.
  private final class Sender: Sendable {
    private let mailbox: Mailbox<Sender?>
    private let deaths: RelaxedCounter

    init(_ mailbox: Mailbox<Sender?>, _ deaths: RelaxedCounter) {
      self.mailbox = mailbox
      self.deaths = deaths
    }

    deinit {
      _ = mailbox.sendIfRoom(nil)
      deaths.add(1)
    }
  }

  @Test func elementsAreDestroyedOutsideOfTheLock() async throws {
    let mailbox = Mailbox<Sender?>(capacity: 2)
    let deaths = RelaxedCounter()
    #expect(try await mailbox.send(Sender(mailbox, deaths)))
    #expect(try await mailbox.receive() != nil)
    #expect(deaths.value == 1)
    // The deinit has sent `nil`.
    #expect(mailbox.sendIfRoom(nil))
    #expect(!mailbox.sendIfRoom(Sender(mailbox, deaths)))
    #expect(deaths.value == 2)
    let cancelled = Task.immediate { try await mailbox.send(Sender(mailbox, deaths)) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let ended = Task.immediate { try await mailbox.send(Sender(mailbox, deaths)) }
    mailbox.finish()
    #expect(try await !ended.value)
    #expect(try await !mailbox.send(Sender(mailbox, deaths)))
    #expect(!mailbox.sendIfRoom(Sender(mailbox, deaths)))
    #expect(deaths.value == 6)
  }

  @Test func elementsAreDestroyedWithTheMailbox() async throws {
    let lifetimes = Lifetimes()
    do {
      let mailbox = Mailbox<Tracked>(capacity: 10)
      for number in 0..<5 { #expect(try await mailbox.send(Tracked(lifetimes, number: number))) }
      #expect(try await mailbox.receive()?.number == 0)
      #expect(lifetimes.alive == 4)
    }
    #expect(lifetimes.alive == 0)
  }
}
