import CTestSupport
import Dispatch
import EventSources
import Lifecycles
import Protectors
import TestSupport
import Testing
import InterlockCore

#if canImport(Glibc)
  import Glibc
#endif

/// Tests that write sources report free room, and also report events after the reader has been closed.
@Suite(.serialized) struct WritingToTheEndTests {
  private static let rounds = StressSize.pick(quick: 50, full: 2_000)

  private func waitFor(_ count: Int, in events: Protector<[UInt]>) {
    onAnotherThread { events.withReadLock(waitingUntil: { $0.count >= count }) { _ in } }
  }

  @Test(arguments: Pipe.Kind.allCases)
  func aFullPipeIsReportedWhenItHasRoom(kind: Pipe.Kind) {
    let queue = DispatchQueue(label: "writing")
    let pipe = Pipe(kind)
    pipe.fill()
    let events = Protector<[UInt]>([])
    var setup = Setup<ActivatedSource<WriteEvent>>(.writing(pipe.writer, on: queue))
    setup.configuration.onEvent = { event in events.withWriteLock { $0.append(event.byteCount) } }
    let activation = setup.activate()
    MonotonicClock.sleep(.milliseconds(5))
    queue.sync {}
    #expect(events.value == [])
    while pipe.drain() > 0 {}
    waitFor(3, in: events)
    activation.invalidate()
    #expect(events.value.allSatisfy { $0 >= 1 })
    Pipe.close(pipe.reader)
  }

  /// Events must repeat after the reader was closed, so that the writer notices it.
  ///
  /// Without the epoll instance of the source, libdispatch on Linux would report the hang-up only once, and
  /// not at all if the pipe is full.
  @Test(arguments: Pipe.Kind.allCases, [false, true])
  func eventsRepeatWhenTheReaderIsClosed(kind: Pipe.Kind, isFull: Bool) {
    for _ in 0..<Self.rounds {
      let queue = DispatchQueue(label: "writing")
      let pipe = Pipe(kind)
      if isFull { pipe.fill() }
      let events = Protector<[UInt]>([])
      let isCancelled = Signal()
      var setup = Setup<ActivatedSource<WriteEvent>>(.writing(pipe.writer, on: queue))
      setup.configuration.onEvent = { event in events.withWriteLock { $0.append(event.byteCount) } }
      setup.configuration.onCancel = { isCancelled.send() }
      let activation = setup.activate()
      if !isFull { waitFor(1, in: events) }
      Pipe.close(pipe.reader)
      waitFor(events.value.count + 4, in: events)
      activation.invalidate()
      onAnotherThread { isCancelled.wait() }
      #expect(events.value.allSatisfy { $0 >= 1 })
    }
  }

  @Test("a socket announces the room in its send buffer, and less after a write")
  func theRoomOfASocket() {
    let pipe = Pipe(.sockets)
    let events = Protector<[UInt]>([])
    var setup = Setup<ActivatedSource<WriteEvent>>(.writing(pipe.writer, on: DispatchQueue(label: "writing")))
    setup.configuration.onEvent = { event in
      if events.value.isEmpty { pipe.write(count: 1_000) }
      events.withWriteLock { $0.append(event.byteCount) }
    }
    let activation = setup.activate()
    waitFor(2, in: events)
    activation.invalidate()
    let room = events.value
    #expect(room[0] >= room[1] + 1_000)
    Pipe.close(pipe.reader)
  }

  #if canImport(Glibc)
    @Test("a file and a device that epoll refuses can be written all the time", arguments: [false, true])
    func aRegularFile(isDevice: Bool) {
      let path = isDevice ? "/dev/null" : temporaryPath("written")
      let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
      if !isDevice { unlink(path) }
      let events = Protector<[UInt]>([])
      let isCancelled = Signal()
      let queue = DispatchQueue(label: "writing")
      var setup = Setup<ActivatedSource<WriteEvent>>(.writing(descriptor, on: queue))
      setup.configuration.onEvent = { event in events.withWriteLock { $0.append(event.byteCount) } }
      setup.configuration.onCancel = { isCancelled.send() }
      let activation = setup.activate()
      waitFor(2, in: events)
      activation.invalidate()
      onAnotherThread { isCancelled.wait() }
      #expect(events.value.allSatisfy { $0 == 1 })
    }
  #endif

  /// The test runs in a process of its own, where no other test reuses the number of the closed descriptor.
  @Test("a descriptor that is closed before the activation has no events, and its source ends")
  func aClosedDescriptor() async {
    await #expect(processExitsWith: .success) {
      let pipe = Pipe()
      let closed = Pipe.highDuplicate(of: pipe.writer)
      Pipe.close(closed)
      let queue = DispatchQueue(label: "closed")
      await WritingToTheEndTests.useWithoutEvents(.writing(closed, closesDescriptor: false, on: queue))
      await WritingToTheEndTests.useWithoutEvents(.reading(closed, closesDescriptor: false, on: queue))
    }
  }

  private static func useWithoutEvents<Event: SourceEvent>(
    _ configuration: ActivatedSource<Event>.Configuration
  ) async {
    let isCancelled = Signal()
    var setup = Setup<ActivatedSource<Event>>(configuration)
    setup.configuration.onEvent = { _ in preconditionFailure("an event") }
    setup.configuration.onCancel = { isCancelled.send() }
    await setup.activate().invalidate()
    onAnotherThread { isCancelled.wait() }
  }

  /// Freed memory is overwritten in this test, so that any use of freed memory by libdispatch crashes.
  @Test(arguments: Pipe.Kind.allCases)
  func noFreedMemoryIsUsedWhenTheReaderCloses(kind: Pipe.Kind) async {
    await #expect(processExitsWith: .success) { [kind] in
      test_overwrite_freed_memory()
      WritingToTheEndTests.closeTheReader(kind)
    }
  }

  /// Closes the readers of full pipes on several threads, and invalidates the sources in their first event.
  private static func closeTheReader(_ kind: Pipe.Kind) {
    let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
    race(threads: 24) { index in
      let queue = index.isMultiple(of: 2) ? concurrent : DispatchQueue(label: "serial")
      for _ in 0..<10 * rounds {
        let pipe = Pipe(kind)
        pipe.fill()
        let isCancelled = Signal()
        let holder = Protector<ActivatedSource<WriteEvent>?>(nil)
        var configuration = ActivatedSource<WriteEvent>.Configuration.writing(pipe.writer, on: queue)
        configuration.onEvent = { _ in holder.exchange(nil)?.invalidate() }
        configuration.onCancel = { isCancelled.send() }
        let source = ActivatedSource(configuration)
        holder.exchange(source)
        source.activate()
        Pipe.close(pipe.reader)
        isCancelled.wait()
      }
    }
  }
}
