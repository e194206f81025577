import InterlockCore
import Jobs
import TestSupport
import Testing

@Suite(.serialized) struct MailboxStressTests {
  /// Tasks send and receive, and some are cancelled at any moment, until the end: what was sent is received once.
  @Test(arguments: [1, 20]) func noElementIsLostOrReceivedTwice(capacity: Int) async {
    let mailbox = Mailbox<Tracked>(capacity: capacity)
    let lifetimes = Lifetimes()
    let hasEnded = RelaxedFlag()
    let (sent, received, sum, strangers) = (
      RelaxedCounter(), RelaxedCounter(), RelaxedCounter(), RelaxedCounter()
    )
    @Sendable func record(_ element: Tracked) {
      received.add(1)
      sum.add(-element.number)
    }
    await TaskStress.run {
      hasEnded.set()
      mailbox.end()
    } _: { number, random in
      if random.happens(percent: 50) {
        if let element = await mailbox.receive() {
          record(element)
        } else if !Task.isCancelled, !hasEnded.isSet {
          strangers.add(1)
        }
      } else {
        let waits = random.happens(percent: 90)
        let element = Tracked(lifetimes, number: number)
        if waits ? await mailbox.send(element) : mailbox.sendIfRoom(element) {
          sent.add(1)
          sum.add(number)
        } else if waits, !Task.isCancelled, !hasEnded.isSet {
          strangers.add(1)
        }
      }
    }
    for await element in mailbox { record(element) }
    #expect(sent.value == received.value, "\(Seed.current)")
    #expect(sum.value == 0, "\(Seed.current)")
    #expect(strangers.value == 0, "\(Seed.current)")
    #expect(lifetimes.alive == 0)
  }

  /// Ten thousand tasks wait at the same time, and are served in their order.
  @Test func manyTasksWaitTogether() async {
    let mailbox = Mailbox<Int>(capacity: 1)
    let count = TaskStress.taskCount
    let receivers = (0..<count).map { _ in Task.immediate { await mailbox.receive() } }
    for number in 0..<count where await !mailbox.send(number) { Issue.record("it has not ended") }
    var faults = 0
    for (number, receiver) in receivers.enumerated() where await receiver.value != number { faults += 1 }
    #expect(await mailbox.send(-1))
    let senders = (0..<count).map { number in Task.immediate { await mailbox.send(number) } }
    for number in -1..<count / 2 where await mailbox.receive() != number { faults += 1 }
    mailbox.end()
    var sent = 0
    for sender in senders where await sender.value { sent += 1 }
    var left: [Int] = []
    for await number in mailbox { left.append(number) }
    #expect(faults == 0)
    #expect(left.count <= 1 && sent == count / 2 + left.count)
  }
}
