#if Exploration
  import Exploration
  import Jobs
  import Protectors
  import Testing

  /// Explores tasks that send to a `Mailbox` and receive from it, while others end it or are cancelled.
  @Suite(.serialized) struct MailboxScheduleTests {
    private static let bounded = ExplorationStrategy.exhaustive(preemptions: 1)
    private static let random = ExplorationStrategy.random(executions: 2_000)

    /// Sends the numbers until one is refused; returns how many were not.
    private static func send(_ numbers: [Int], to mailbox: Mailbox<Int>) async -> Int {
      for (count, number) in numbers.enumerated() where (try? await mailbox.send(number)) != true {
        return count
      }
      return numbers.count
    }

    private static func receiveAll(from mailbox: Mailbox<Int>) async -> [Int] {
      var numbers: [Int] = []
      for await number in mailbox { numbers.append(number) }
      return numbers
    }

    @Test(arguments: [1, 2]) func oneTaskSendsToAnother(capacity: Int) throws {
      try check("Mailbox, 2 tasks, a capacity of \(capacity)", Self.bounded, mayEndEarly: true) { run in
        let mailbox = Mailbox<Int>(capacity: capacity)
        let sender = run.task {
          let count = await Self.send([1, 2, 3], to: mailbox)
          mailbox.finish()
          return count
        }
        let receiver = run.task { await Self.receiveAll(from: mailbox) }
        run.expect(sender.join() == 3, "nothing is refused before the end")
        let received = receiver.join()
        run.expect(received == [1, 2, 3], "it has received \(received)")
        run.expectFreed(mailbox)
      }
    }

    /// A sender beside a receiver is cancelled at any moment: what it has sent is received.
    @Test func theSenderIsCancelled() throws {
      let outcomes = try results("Mailbox, 2 tasks, the sender cancelled", Self.bounded, mayEndEarly: true) {
        run in
        let mailbox = Mailbox<Int>(capacity: 1)
        let sender = run.task(mayBeCancelled: true) {
          let count = await Self.send([1, 2, 3], to: mailbox)
          mailbox.finish()
          return count
        }
        let receiver = run.task { await Self.receiveAll(from: mailbox) }
        let count = sender.join()
        let received = receiver.join()
        run.expect(received == Array([1, 2, 3].prefix(count)), "of \(count) it has received \(received)")
        return count
      }
      #expect(outcomes.isSuperset(of: [1, 3]))
    }

    /// A receiver beside a sender is cancelled at any moment: what it has not received, another one gets.
    @Test func theReceiverIsCancelled() throws {
      let outcomes = try results("Mailbox, 2 tasks, the receiver cancelled", Self.bounded, mayEndEarly: true)
      { run in
        let mailbox = Mailbox<Int>(capacity: 2)
        let receiver = run.task(mayBeCancelled: true) { await Self.receiveAll(from: mailbox) }
        let sender = run.task {
          let count = await Self.send([1, 2], to: mailbox)
          mailbox.finish()
          return count
        }
        run.expect(sender.join() == 2, "there is room")
        let received = receiver.join()
        let rest = run.task { await Self.receiveAll(from: mailbox) }.join()
        run.expect(received + rest == [1, 2], "it has received \(received), and the other \(rest)")
        return received.count
      }
      #expect(outcomes == [0, 1, 2])
    }

    /// Two senders share a place, and one of them may be cancelled: the other one gets room.
    @Test(arguments: [false, true]) func twoTasksSend(mayBeCancelled: Bool) throws {
      let name = "Mailbox, 2 tasks send\(mayBeCancelled ? ", 1 cancelled" : ""), 1 receives"
      let outcomes = try results(name, mayBeCancelled ? Self.random : Self.bounded, mayEndEarly: true) {
        run in
        let mailbox = Mailbox<Int>(capacity: 1)
        _ = mailbox.sendIfRoom(0)
        let one = run.task(mayBeCancelled: mayBeCancelled) { (try? await mailbox.send(1)) == true }
        let two = run.task { (try? await mailbox.send(2)) == true }
        let receiver = run.task { [try? await mailbox.receive(), try? await mailbox.receive()] }
        let isSent = one.join()
        run.expect(mayBeCancelled || isSent, "a task that isn't cancelled gets room")
        run.expect(two.join(), "the other task gets room")
        let received = receiver.join()
        mailbox.finish()
        let rest = run.task { await Self.receiveAll(from: mailbox) }.join()
        run.expect(
          received[0] == 0
            && (received + rest).compactMap(\.self).sorted() == (isSent ? [0, 1, 2] : [0, 2]),
          "it has received \(received) and \(rest)")
        run.expectFreed(mailbox)
        return isSent
      }
      #expect(outcomes == (mayBeCancelled ? [false, true] : [true]))
    }

    /// Two receivers share the elements, and one of them may be cancelled: no element stays while the other waits.
    @Test(arguments: [false, true]) func twoTasksReceive(mayBeCancelled: Bool) throws {
      let name = "Mailbox, 2 tasks receive\(mayBeCancelled ? ", 1 cancelled" : ""), 1 sends"
      let outcomes = try results(name, Self.random) { run in
        let mailbox = Mailbox<Int>(capacity: 1)
        let one = run.task(mayBeCancelled: mayBeCancelled) { await Self.receiveAll(from: mailbox) }
        let two = run.task { await Self.receiveAll(from: mailbox) }
        let sender = run.task {
          let count = await Self.send([1, 2, 3], to: mailbox)
          mailbox.finish()
          return count
        }
        run.expect(sender.join() == 3, "nothing is refused before the end")
        let (first, second) = (one.join(), two.join())
        run.expect(first == first.sorted() && second == second.sorted(), "each receives them in order")
        run.expect((first + second).sorted() == [1, 2, 3], "they have received \(first) and \(second)")
        run.expectFreed(mailbox)
        return first.count
      }
      #expect(outcomes.isSuperset(of: [0, 1]))
    }

    /// The mailbox ends while a task waits for room, or for an element, or before that.
    @Test func aTaskEndsTheMailbox() throws {
      let outcomes = try results("Mailbox, 2 tasks, ended by a third", Self.bounded, mayEndEarly: true) {
        run in
        let mailbox = Mailbox<Int>(capacity: 1)
        let sender = run.task { await Self.send([1, 2], to: mailbox) }
        let receiver = run.task { await Self.receiveAll(from: mailbox) }
        let ending = run.task { mailbox.finish() }
        let count = sender.join()
        let received = receiver.join()
        ending.join()
        run.expect(received == Array([1, 2].prefix(count)), "of \(count) it has received \(received)")
        return count
      }
      #expect(outcomes == [0, 1, 2])
    }

    /// Nothing waits after the end, whoever waited before it.
    @Test(arguments: [false, true]) func theEndEndsTwoWaits(areSenders: Bool) throws {
      let name = "Mailbox, 2 tasks \(areSenders ? "send" : "receive"), ended by a third"
      try check(name, Self.bounded, mayEndEarly: true) { run in
        let mailbox = Mailbox<Int>(capacity: 1)
        if areSenders { _ = mailbox.sendIfRoom(0) }
        let tasks = (1...2).map { number in
          run.task { areSenders ? try? await mailbox.send(number) : try? await mailbox.receive() != nil }
        }
        run.task { mailbox.finish() }.join()
        for task in tasks { run.expect(task.join() == false, "the wait ends in vain") }
      }
    }
  }
#endif
