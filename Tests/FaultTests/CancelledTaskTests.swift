import Dispatch
import EventSources
import Jobs
import Lifecycles
import Protectors
import TestSupport
import Testing
import ViewModels

/// Tests tasks that are cancelled before, during and after a call.
///
/// Calls that block a thread must ignore the cancellation, and asynchronous sequences must end.
@Suite struct CancelledTaskTests {
  private let lifetimes = Lifetimes()

  /// Waits until all objects are destroyed; the watchdog ends the process if one never is.
  ///
  /// The thread that did the work may keep its reference to the error for a moment after the call has returned.
  private func untilNothingIsAlive(_ lifetimes: Lifetimes) async {
    while lifetimes.alive > 0 { try? await Task.sleep(for: .milliseconds(1)) }
  }

  // MARK: Sections

  @Test(arguments: ThrowingCall.all)
  func aCancelledTaskEntersSectionsAsAnyOther(call: ThrowingCall) async {
    #expect(await inCancelledTask { call.complaints(number: 1) } == [])
  }

  @Test func aSynchronousWaitOutlastsTheTasksCancellation() async {
    let value = Protector(0)
    let evaluations = RelaxedCounter()
    // The compiler refuses a blocking wait in the task's closure, but not in a local function that the
    // closure calls.
    @Sendable func wait() -> Bool {
      !timesOut {
        try value.withWriteLock(waitingUntil: { evaluations.counting($0 == 1) }, timeout: .seconds(1000)) {
          $0 += 1
        }
      }
    }
    let waiting = Task.detached { wait() }
    // The thread evaluates the predicate in the section in which it queues. After that it can't return before
    // `withWriteLock` makes the predicate true.
    while evaluations.value < 1 { await Task.yield() }
    waiting.cancel()
    value.withWriteLock { $0 = 1 }
    #expect(await waiting.value)
    #expect(value.value == 2)
  }

  // MARK: Jobs

  @Test("an error of a job comes out of a cancelled task, and the result is destroyed")
  func anErrorOfAJobOfACancelledTask() async {
    let number = await inCancelledTask { () -> Int? in
      do throws(Failure) {
        let token = try await withJobs { (jobs: borrowing JobScope<Failure>) in
          let tracked = Tracked(lifetimes)
          jobs.add { () throws(Failure) in throw Failure(number: 5, tracked: tracked) }
          return TrackedToken(lifetimes)
        }
        _ = consume token
        return nil
      } catch {
        return error.number
      }
    }
    #expect(number == 5)
    #expect(lifetimes.made == 2)
    await untilNothingIsAlive(lifetimes)
  }

  @Test("the completion of a group from a cancelled task is not cancelled itself")
  func theCompletionIsNotCancelled() async {
    let isCancelled = await withCheckedContinuation { continuation in
      Task.detached {
        withUnsafeCurrentTask { $0?.cancel() }
        withJobs { jobs in
          jobs.add {}
        } completion: {
          continuation.resume(returning: Task.isCancelled)
        }
      }
    }
    #expect(!isCancelled)
  }

  @Test("jobs whose task is cancelled at any moment")
  func jobsAreCancelledAtAnyMoment() async {
    var random = Seed.current.generator(stream: 26)
    for round in 0..<StressSize.pick(quick: 200, full: 20_000) {
      let ended = RelaxedCounter()
      let task = Task.detached {
        let token = await withJobs { jobs in
          for _ in 0..<3 {
            let tracked = Tracked(lifetimes)
            jobs.add { ended.add(1 + tracked.number) }
          }
          return TrackedToken(lifetimes, number: round)
        }
        return token.number
      }
      for _ in 0..<random.next() % 4 { await Task.yield() }
      task.cancel()
      let number = await task.value
      #expect(number == round && ended.value == 3)
      // A cancellation after the end of the task must have no effect.
      task.cancel()
    }
    #expect(lifetimes.alive == 0)
  }

  // MARK: Sequences

  @Test(
    "an event that was kept is not handed to a cancelled consumer, nor one that comes later")
  func eventsEndForACancelledConsumer() async {
    let cancelled = Signal()
    let queue = DispatchQueue(label: "events")
    let delivered = Protector(0)
    var setup = Setup<ActivatedSource<AddedData>>(.adding(on: queue))
    setup.configuration.onEvent = { event in delivered.withWriteLock { $0 += Int(event.sum) } }
    setup.configuration.onCancel = { cancelled.send() }
    let events = setup.configuration.makeEvents()
    let activation = setup.activate()
    activation.object.add(1)
    while delivered.value == 0 { await Task.yield() }
    // When this call returns, the queue has finished the event's handler, and the sequence contains the
    // event.
    queue.sync {}
    let source = activation.object
    let seen = await inCancelledTask {
      var iterator = events.makeAsyncIterator()
      let first = await iterator.next()
      source.add(1)
      return [first?.sum, await iterator.next()?.sum]
    }
    #expect(seen == [nil, nil])
    onAnotherThread { cancelled.wait() }
    #expect(source.state == .invalidated)
    await activation.invalidate()
  }

  private struct IdleUploader: PlayerUploader {
    func upload(_ upload: PlayerUpload) async throws {}
  }

  @MainActor
  @Test("readers that are cancelled at any moment get a part of the values, in order, and the end")
  func readersAreCancelledAtAnyMoment() async {
    var random = Seed.current.generator(stream: 17)
    for _ in 0..<StressSize.pick(quick: 100, full: 10_000) {
      let player = PlayerViewModel(PlayerState(pointUpdateLimit: .max), uploader: IdleUploader())
      let states = player.states
      let readers = (0..<2).map { _ in
        Task.detached {
          var seen: [Int] = []
          for await state in states { seen.append(state.points) }
          return seen
        }
      }
      let cancelled = Int(random.next() % 8)
      for step in 0..<8 {
        player.perform(.stepUp)
        if random.happens(percent: 50) { await Task.yield() }
        if step == cancelled { readers[Int(random.next() % 2)].cancel() }
      }
      for reader in readers {
        reader.cancel()
        let seen = await reader.value
        #expect(seen == Array(Set(seen)).sorted() && seen.allSatisfy { 100...108 ~= $0 })
      }
    }
  }

  // MARK: Work that can't be cancelled

  @Test func aWorkItemOfACancelledTaskIsDone() async {
    let transform = DataTransform()
    let results = await inCancelledTask { () -> [Int] in
      let sum = await transform.run(1) { $0 + 1 }
      do throws(Failure) {
        _ = try await transform.run(2) { (number: Int) throws(Failure) -> Int in
          throw Failure(number: number, tracked: Tracked(lifetimes))
        }
        return [sum]
      } catch {
        return [sum, error.number]
      }
    }
    #expect(results == [2, 2])
    #expect(lifetimes.made == 1)
    await untilNothingIsAlive(lifetimes)
  }
}
