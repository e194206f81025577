import Dispatch
import Lifecycles
import TestSupport
import Testing

@testable import EventSources

#if canImport(Glibc)
  import Glibc
#endif

/// Tests every misuse of a source that traps; each test runs in a process of its own.
@Suite struct ActivatedSourceCrashTests {
  private static func makeSums() -> ActivatedSource<AddedData> {
    ActivatedSource(.adding(on: .global(), label: "sums"))
  }

  private static let awaitedTwice =
    "ActivatedSource \"sums\": its events are awaited by two tasks at once; "
    + "let one task await them, and pass them on"

  private static let misuses = [
    Misuse(
      "ActivatedSource \"sums\": deallocated before it was activated",
      "call invalidate() also if it isn't wanted any more"
    ) { _ = makeSums() },
    Misuse(
      "ActivatedSource \"sums\": deallocated while active",
      "call invalidate() before releasing the last reference"
    ) { makeSums().activate() },
    Misuse(
      "ActivatedSource \"sums\": deallocated while suspended",
      "call invalidate() before releasing the last reference"
    ) {
      let source = makeSums()
      source.activate()
      source.suspend()
    },
    Misuse(
      "ActivatedSource \"sums\": resumed more often than suspended", "call resume() once for each suspend()"
    ) {
      let source = makeSums()
      source.activate()
      source.suspend()
      source.resume()
      source.resume()
    },
    Misuse(
      "ActivatedSource \"reading\": the descriptor -1 is negative",
      "look at the result of the call that should have opened it"
    ) {
      _ = ActivatedSource<ReadEvent>.Configuration.reading(-1, on: .global())
    },
    Misuse("ActivatedSource \"signal\": there is no signal 0", "pass one such as SIGINT") {
      _ = ActivatedSource<SignalEvent>.Configuration.signal(0, on: .global())
    },
    Misuse("ActivatedSource \"signal\": there is no signal 65", "pass one such as SIGINT") {
      _ = ActivatedSource<SignalEvent>.Configuration.signal(65, on: .global())
    },
    Misuse("ActivatedSource \"timer\": a delay of -1.0 seconds is negative", "pass one of zero or more") {
      _ = ActivatedSource<TimerEvent>.Configuration.timer(after: .seconds(-1), on: .global())
    },
    Misuse(
      "ActivatedSource \"timer\": an interval of 0.0 seconds is not positive",
      "pass a positive one, or none for a timer that fires once"
    ) {
      _ = ActivatedSource<TimerEvent>.Configuration.timer(after: .zero, every: .zero, on: .global())
    },
    Misuse(
      "ActivatedSource \"timer\": an interval of -1.0 seconds is not positive",
      "pass a positive one, or none for a timer that fires once"
    ) {
      await ActivatedSource.timer(every: .seconds(-1), on: .global()) { _ in }.invalidate()
    },
    Misuse("ActivatedSource \"tick\": a leeway of -1.0 seconds is negative", "pass one of zero or more") {
      _ = ActivatedSource<TimerEvent>.Configuration.timer(
        after: .zero, leeway: .seconds(-1), on: .global(), label: "tick")
    },
    Misuse(
      "ActivatedSource \"sums\": asked for its events twice", "let one task await them, and pass them on"
    ) {
      var setup = Setup<ActivatedSource<AddedData>>(.adding(on: .global(), label: "sums"))
      _ = setup.configuration.makeEvents()
      _ = setup.configuration.makeEvents()
    },
    Misuse(
      "ActivatedSource \"sums\": made from a configuration whose events are those of another source",
      "call makeEvents() on a configuration for each source"
    ) {
      var configuration = ActivatedSource<AddedData>.Configuration.adding(on: .global(), label: "sums")
      _ = configuration.makeEvents()
      let first = Setup<ActivatedSource<AddedData>>(configuration).activate()
      let second = Setup<ActivatedSource<AddedData>>(configuration).activate()
      await first.invalidate()
      await second.invalidate()
    },
    Misuse(awaitedTwice) {
      var setup = Setup<ActivatedSource<AddedData>>(.adding(on: .global(), label: "sums"))
      let events = setup.configuration.makeEvents()
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask { for await _ in events {} }
        }
      }
    },
  ]

  @Test(arguments: misuses.indices) func misuseTraps(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      try await Self.misuses[index].commit()
    }
    #expect(result?.standardErrorContent.trap == Self.misuses[index].message)
  }

  @Test func aDescriptorThatWasClosedElsewhereTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let pipe = Pipe()
      // The test closes this descriptor, and later the source traps because it can't close it. The number is
      // high, so that the process is unlikely to reuse it in between.
      let reader = Pipe.highDuplicate(of: pipe.reader)
      let source = ActivatedSource<ReadEvent>(.reading(reader, on: .global(), label: "input"))
      Pipe.close(reader)
      await source.invalidate()
      Signal().wait()
    }
    let message = result?.standardErrorContent.trap
    // The system has chosen the descriptor's number, so the test takes the number from the trap message.
    let descriptor = message?.split(separator: " ").first { Int($0) != nil } ?? "?"
    #expect(
      message
        == "ActivatedSource \"input\": its descriptor \(descriptor) was closed by somebody else; "
        + "leave it to the source, or pass closesDescriptor: false")
  }

  /// The number of the closed descriptor is that of another file when the source ends.
  @Test func aDescriptorThatIsOfAnotherFileTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (pipe, other) = (Pipe(), Pipe())
      let reader = Pipe.highDuplicate(of: pipe.reader)
      let setup = Setup<ActivatedSource<ReadEvent>>(.reading(reader, on: .global(), label: "input"))
      let activation = setup.activate()
      _ = dup2(other.reader, reader)
      await activation.invalidate()
      Signal().wait()
    }
    #expect(result?.standardErrorContent.trap?.contains("was closed by somebody else") == true)
  }

  #if canImport(Glibc)
    @Test func aSystemWithoutDescriptorsLeftTraps() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let setup = Setup<ActivatedSource<ReadEvent>>(.reading(Pipe().reader, on: .global()))
        // With a limit of 0, open descriptors stay open, but the activation can't open one for its epoll
        // instance.
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        _ = setup.activate()
      }
      #expect(
        result?.standardErrorContent.trap
          == "ActivatedSource \"reading\": the system has no descriptor or memory left to watch its descriptor; "
          + "close descriptors that are not needed, or raise the limit of open files")
    }
  #endif

  /// The first task has been resumed, and has not come to take its event.
  @Test func awaitingTheEventOfAnotherTaskTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let mailbox = EventMailbox<AddedData>(label: "sums")
      let executor = InlineExecutor()
      Task(executorPreference: executor) { _ = await mailbox.next() }
      executor.hold()
      mailbox.deliver(AddedData(data: 1)) {}
      _ = await mailbox.next()
    }
    #expect(result?.standardErrorContent.trap == Self.awaitedTwice)
  }

  /// The first task has been resumed by the end, and has not run.
  @Test func awaitingAfterTheEndDoesNotTrap() async {
    await #expect(processExitsWith: .success) {
      let mailbox = EventMailbox<AddedData>(label: "sums")
      let executor = InlineExecutor()
      Task(executorPreference: executor) { _ = await mailbox.next() }
      executor.hold()
      mailbox.finish()
      let event = await mailbox.next()
      precondition(event == nil)
    }
  }

  /// The first task has been resumed, and gets its event although the source has ended.
  @Test func anEventForAWaitingTaskIsNotDropped() async {
    let mailbox = EventMailbox<AddedData>(label: "sums")
    let executor = InlineExecutor()
    let task = Task(executorPreference: executor) { await mailbox.next() }
    executor.hold()
    mailbox.deliver(AddedData(data: 7)) {}
    mailbox.finish()
    executor.release()
    #expect(await task.value == AddedData(data: 7))
    #expect(await mailbox.next() == nil)
  }
}
