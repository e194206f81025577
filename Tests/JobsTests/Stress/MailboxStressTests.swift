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
      mailbox.finish()
    } _: { number, random in
      if random.happens(percent: 50) {
        do {
          if let element = try await mailbox.receive() {
            record(element)
          } else if !hasEnded.isSet {
            strangers.add(1)
          }
        } catch {
          if !(error is CancellationError) || !Task.isCancelled { strangers.add(1) }
        }
      } else {
        let waits = random.happens(percent: 90)
        let element = Tracked(lifetimes, number: number)
        do {
          if waits ? try await mailbox.send(element) : mailbox.sendIfRoom(element) {
            sent.add(1)
            sum.add(number)
          } else if waits, !hasEnded.isSet {
            strangers.add(1)
          }
        } catch {
          if !(error is CancellationError) || !Task.isCancelled { strangers.add(1) }
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
  @Test func manyTasksWaitTogether() async throws {
    let mailbox = Mailbox<Int>(capacity: 1)
    let count = TaskStress.taskCount
    let receivers = (0..<count).map { _ in Task.immediate { try await mailbox.receive() } }
    for number in 0..<count where try await !mailbox.send(number) { Issue.record("it has not ended") }
    var faults = 0
    for (number, receiver) in receivers.enumerated() where try await receiver.value != number { faults += 1 }
    #expect(try await mailbox.send(-1))
    let senders = (0..<count).map { number in Task.immediate { try await mailbox.send(number) } }
    for number in -1..<count / 2 where try await mailbox.receive() != number { faults += 1 }
    mailbox.finish()
    var sent = 0
    for sender in senders where try await sender.value { sent += 1 }
    var left: [Int] = []
    for await number in mailbox { left.append(number) }
    #expect(faults == 0)
    #expect(left.count <= 1 && sent == count / 2 + left.count)
  }
}
