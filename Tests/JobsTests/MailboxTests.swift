import Jobs
import TestSupport
import Testing

/// In these tests, a `Task.immediate` waits in the mailbox when the call that makes it returns.
@Suite(.timeLimit(.minutes(10))) struct MailboxTests {
  private let mailbox = Mailbox<Int>(capacity: 1)

  // MARK: Room

  @Test(arguments: [1, 2, 5]) func aFullMailboxRefusesElements(capacity: Int) async {
    let mailbox = Mailbox<Int>(capacity: capacity)
    let others = Mailbox<Int>(capacity: .max)
    for round in 0..<3 {
      for number in 0..<capacity { #expect(mailbox.sendIfRoom(10 * round + number)) }
      #expect(!mailbox.sendIfRoom(-1))
      for number in 0..<capacity { #expect(await mailbox.receive() == 10 * round + number) }
      #expect(others.sendIfRoom(round))
    }
  }

  @MainActor @Test func callsThatNeedNotWaitDoNotSuspend() async {
    let mailbox = Mailbox<Int>(capacity: 10)
    let others = Unguarded(0)
    let other = Task { @MainActor in others.value += 1 }
    for number in 0..<10 { #expect(await mailbox.send(number)) }
    var iterator = mailbox.makeAsyncIterator()
    for number in 0..<10 { #expect(await iterator.next(isolation: #isolation) == number) }
    #expect(others.value == 0)
    await other.value
  }

  @MainActor @Test func theCallsReturnToTheirActor() async {
    let echo = Mailbox<Int>(capacity: 1)
    async let echoes: Void = {
      for await number in mailbox { #expect(await echo.send(number)) }
      echo.end()
    }()
    for number in 0..<10 {
      #expect(await mailbox.send(number))
      MainActor.assertIsolated()
      #expect(await echo.receive() == number)
      MainActor.assertIsolated()
    }
    mailbox.end()
    for await _ in echo {}
    await echoes
    MainActor.assertIsolated()
  }

  @Test func threadsSendIfThereIsRoom() async {
    let mailbox = Mailbox<Int>(capacity: 1_000)
    let sent = await onAThread {
      race(threads: 4) { thread in
        (0..<500).count { mailbox.sendIfRoom(thread * 500 + $0) }
      }
    }
    #expect(sent.reduce(0, +) == 1_000)
    mailbox.end()
    var received: Set<Int> = []
    for await number in mailbox { received.insert(number) }
    #expect(received.count == 1_000)
  }

  // MARK: The end

  @Test func elementsAreReceivedAfterTheEnd() async {
    let mailbox = Mailbox<Int>(capacity: 3)
    #expect(await mailbox.send(1))
    #expect(await mailbox.send(2))
    mailbox.end()
    mailbox.end()
    #expect(await !mailbox.send(3))
    #expect(!mailbox.sendIfRoom(4))
    #expect(await mailbox.receive() == 1)
    #expect(await mailbox.receive() == 2)
    #expect(await mailbox.receive() == nil)
    #expect(await mailbox.receive() == nil)
    #expect(!mailbox.sendIfRoom(5))
  }

  @Test func theEndEndsTheWaitOfSenders() async {
    #expect(await mailbox.send(1))
    let senders = (2..<12).map { number in Task.immediate { await mailbox.send(number) } }
    mailbox.end()
    for sender in senders { #expect(await !sender.value) }
    #expect(await mailbox.receive() == 1)
    #expect(await mailbox.receive() == nil)
  }

  @Test func theEndEndsTheWaitOfReceivers() async {
    let receivers = (0..<10).map { _ in Task.immediate { await mailbox.receive() } }
    mailbox.end()
    for receiver in receivers { #expect(await receiver.value == nil) }
  }

  // MARK: Cancellation

  @Test func aCancelledSenderSendsNothing() async {
    let lifetimes = Lifetimes()
    let mailbox = Mailbox<Tracked>(capacity: 1)
    #expect(await mailbox.send(Tracked(lifetimes, number: 1)))
    let cancelled = Task.immediate { await mailbox.send(Tracked(lifetimes, number: 2)) }
    let sender = Task.immediate { await mailbox.send(Tracked(lifetimes, number: 3)) }
    cancelled.cancel()
    #expect(await !cancelled.value)
    #expect(await mailbox.receive()?.number == 1)
    #expect(await sender.value)
    #expect(lifetimes.alive == 1)
    #expect(await mailbox.receive()?.number == 3)
  }

  @Test func aTaskThatIsCancelledAlreadyDoesNotWait() async {
    await inCancelledTask {
      #expect(await mailbox.send(1))
      #expect(await !mailbox.send(2))
      #expect(await mailbox.receive() == 1)
      #expect(await mailbox.receive() == nil)
      for await _ in mailbox { Issue.record("nothing is there") }
    }
    #expect(mailbox.sendIfRoom(3))
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

  @Test func elementsAreDestroyedOutsideOfTheLock() async {
    let mailbox = Mailbox<Sender?>(capacity: 2)
    let deaths = RelaxedCounter()
    #expect(await mailbox.send(Sender(mailbox, deaths)))
    #expect(await mailbox.receive() != nil)
    #expect(deaths.value == 1)
    // The deinit has sent `nil`.
    #expect(mailbox.sendIfRoom(nil))
    #expect(!mailbox.sendIfRoom(Sender(mailbox, deaths)))
    #expect(deaths.value == 2)
    let cancelled = Task.immediate { await mailbox.send(Sender(mailbox, deaths)) }
    cancelled.cancel()
    #expect(await !cancelled.value)
    let ended = Task.immediate { await mailbox.send(Sender(mailbox, deaths)) }
    mailbox.end()
    #expect(await !ended.value)
    #expect(await !mailbox.send(Sender(mailbox, deaths)))
    #expect(!mailbox.sendIfRoom(Sender(mailbox, deaths)))
    #expect(deaths.value == 6)
  }

  @Test func elementsAreDestroyedWithTheMailbox() async {
    let lifetimes = Lifetimes()
    do {
      let mailbox = Mailbox<Tracked>(capacity: 10)
      for number in 0..<5 { #expect(await mailbox.send(Tracked(lifetimes, number: number))) }
      #expect(await mailbox.receive()?.number == 0)
      #expect(lifetimes.alive == 4)
    }
    #expect(lifetimes.alive == 0)
  }
}
