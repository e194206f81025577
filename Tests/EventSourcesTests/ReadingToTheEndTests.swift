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

/// Tests that all data of a pipe or a socket is read after the writer has closed it, and that the end is then
/// reported.
@Suite(.serialized) struct ReadingToTheEndTests {
  /// When the writer closes the pipe, relative to the activation of the source and to its events.
  enum Closing: CaseIterable, Codable {
    case beforeActivation, afterActivation, inTheFirstEvent, afterAWhile
  }

  private static let byteCount = 60_000

  private struct Reading: Sendable {
    var bytes = 0
    var ends = 0
    var events = 0
  }

  private static let rounds = StressSize.pick(quick: 50, full: 2_000)

  private static func makeQueue(isConcurrent: Bool) -> DispatchQueue {
    DispatchQueue(label: "reading", attributes: isConcurrent ? .concurrent : [])
  }

  /// Handles an event: reads at most 4096 bytes and counts them in `reading`.
  ///
  /// An event with 0 bytes counts as an end.
  private static func read(_ pipe: Pipe, _ event: ReadEvent, _ reading: Protector<Reading>) {
    let bytes = pipe.drain()
    reading.withWriteLock { reading in
      reading.events += 1
      reading.bytes += bytes
      if event.byteCount == 0 { reading.ends += 1 }
    }
  }

  private static func waitForEnd(_ reading: Protector<Reading>) {
    onAnotherThread { reading.withReadLock(waitingUntil: { $0.ends > 0 }) { _ in } }
  }

  @Test(arguments: Closing.allCases, Pipe.Kind.allCases)
  func allBytesArriveAndTheEnd(closing: Closing, kind: Pipe.Kind) {
    for isConcurrent in [false, true] { Self.readToTheEnd(closing, kind, isConcurrent: isConcurrent) }
  }

  private static func readToTheEnd(_ closing: Closing, _ kind: Pipe.Kind, isConcurrent: Bool) {
    for round in 0..<Self.rounds {
      let queue = Self.makeQueue(isConcurrent: isConcurrent)
      let pipe = Pipe(kind)
      pipe.write(count: Self.byteCount)
      let reading = Protector(Reading())
      var setup = Setup<ActivatedSource<ReadEvent>>(.reading(pipe.reader, on: queue))
      setup.configuration.onEvent = { event in
        if closing == .inTheFirstEvent, reading.value.events == 0 { Pipe.close(pipe.writer) }
        Self.read(pipe, event, reading)
      }
      if closing == .beforeActivation { Pipe.close(pipe.writer) }
      let activation = setup.activate()
      if closing == .afterActivation { Pipe.close(pipe.writer) }
      if closing == .afterAWhile {
        MonotonicClock.sleep(.microseconds(20 * round))
        Pipe.close(pipe.writer)
      }
      Self.waitForEnd(reading)
      activation.invalidate()
      queue.sync {}
      let result = reading.value
      #expect(result.bytes == Self.byteCount && result.ends == 1, "\(result)")
    }
  }

  @Test(arguments: Pipe.Kind.allCases) func aPipeThatWasReadBeforeIsReadToItsEnd(kind: Pipe.Kind) {
    for _ in 0..<Self.rounds {
      let queue = Self.makeQueue(isConcurrent: false)
      let pipe = Pipe(kind)
      let reading = Protector(Reading())
      var setup = Setup<ActivatedSource<ReadEvent>>(.reading(pipe.reader, on: queue))
      setup.configuration.onEvent = { Self.read(pipe, $0, reading) }
      let activation = setup.activate()
      pipe.write(count: 100)
      onAnotherThread { reading.withReadLock(waitingUntil: { $0.bytes == 100 }) { _ in } }
      Pipe.close(pipe.writer)
      Self.waitForEnd(reading)
      activation.invalidate()
      #expect(reading.value.bytes == 100)
    }
  }

  @Test(arguments: Pipe.Kind.allCases) func aSequenceOfReadEventsEndsAtTheEndOfTheData(kind: Pipe.Kind) async
  {
    for _ in 0..<Self.rounds {
      let pipe = Pipe(kind)
      pipe.write(count: Self.byteCount)
      var setup = Setup<ActivatedSource<ReadEvent>>(
        .reading(pipe.reader, on: Self.makeQueue(isConcurrent: false)))
      let events = setup.configuration.makeEvents()
      let activation = setup.activate()
      Pipe.close(pipe.writer)
      var bytes = 0
      for await event in events {
        if event.byteCount == 0 { break }
        bytes += pipe.drain()
      }
      await activation.invalidate()
      #expect(bytes == Self.byteCount)
    }
  }

  @Test(arguments: Pipe.Kind.allCases) func aSuspendedSourceReadsTheRestAfterResuming(kind: Pipe.Kind) {
    for _ in 0..<Self.rounds {
      let queue = Self.makeQueue(isConcurrent: false)
      let pipe = Pipe(kind)
      pipe.write(count: Self.byteCount)
      Pipe.close(pipe.writer)
      let reading = Protector(Reading())
      let holder = Unguarded<ActivatedSource<ReadEvent>?>(nil)
      var configuration = ActivatedSource<ReadEvent>.Configuration.reading(pipe.reader, on: queue)
      configuration.onEvent = { event in
        if reading.value.events < 3 { holder.value!.suspend() }
        Self.read(pipe, event, reading)
      }
      let source = ActivatedSource(configuration)
      queue.sync {
        holder.value = source
        source.activate()
      }
      for number in 1...3 {
        onAnotherThread { reading.withReadLock(waitingUntil: { $0.events == number }) { _ in } }
        for _ in 0..<3 { queue.sync {} }
        #expect(reading.value.events == number)
        source.resume()
      }
      Self.waitForEnd(reading)
      queue.sync {
        source.invalidate()
        holder.value = nil
      }
      #expect(reading.value.bytes == Self.byteCount)
    }
  }

  /// Freed memory is overwritten in this test, so that any use of freed memory crashes.
  ///
  /// On Linux, libdispatch uses freed memory when it sees a hang-up, so the source must hide the hang-up from
  /// libdispatch.
  @Test(arguments: Closing.allCases, Pipe.Kind.allCases)
  func noFreedMemoryIsUsedAtTheEnd(closing: Closing, kind: Pipe.Kind) async {
    await #expect(processExitsWith: .success) { [closing, kind] in
      test_overwrite_freed_memory()
      ReadingToTheEndTests.readToTheEnd(closing, kind, isConcurrent: true)
    }
  }

  @Test("an awaited event is not older than the last read")
  func awaitedEventsAreNew() async {
    let pipe = Pipe()
    let queue = Self.makeQueue(isConcurrent: false)
    var setup = Setup<ActivatedSource<ReadEvent>>(.reading(pipe.reader, on: queue))
    let events = setup.configuration.makeEvents()
    let activation = setup.activate()
    var iterator = events.makeAsyncIterator()
    pipe.write(count: 1)
    #expect(await iterator.next()?.byteCount == 1)
    // Time in which a source that goes on would report the byte again.
    MonotonicClock.sleep(.milliseconds(20))
    #expect(pipe.drain() == 1)
    let writing = PlatformThread {
      MonotonicClock.sleep(.milliseconds(20))
      pipe.write(count: 3)
    }
    #expect(await iterator.next()?.byteCount == 3)
    writing.join()
    await activation.invalidate()
  }

  // MARK: What FIONREAD does not count

  #if canImport(Glibc)
    /// The byte count of the first event of a descriptor, which the source closes.
    private func firstCount(_ descriptor: Int32) async -> UInt? {
      var setup = Setup<ActivatedSource<ReadEvent>>(
        .reading(descriptor, closesDescriptor: true, on: DispatchQueue(label: "counting")))
      let events = setup.configuration.makeEvents()
      let activation = setup.activate()
      let event = await events.first { _ in true }
      await activation.invalidate()
      return event?.byteCount
    }

    @Test("the bytes of a large file are counted", arguments: [1 << 20, 3 << 30, 4 << 30])
    func largeFiles(size: Int) async {
      for position in [0, size - 7, size] {
        let path = temporaryPath("large")
        let file = open(path, O_CREAT | O_RDWR, 0o600)
        unlink(path)
        #expect(ftruncate(file, size) == 0 && lseek(file, position, SEEK_SET) == position)
        #expect(await firstCount(file) == UInt(size - position))
      }
    }

    /// The text of these files stays as it is, so that the end stays where it was read.
    @Test("a file without a size has bytes until its end", arguments: ["/proc/version", "/proc/mounts"])
    func filesWithoutSize(path: String) async {
      #expect(await firstCount(open(path, O_RDONLY)) == 1)
      let file = open(path, O_RDONLY)
      var buffer = [UInt8](repeating: 0, count: 4096)
      while Glibc.read(file, &buffer, buffer.count) > 0 {}
      #expect(await firstCount(file) == 0)
    }

    @Test("a socket with an error is not at its end")
    func socketError() async {
      let socket = ListeningSocket()
      defer { Pipe.close(socket.descriptor) }
      let client = socket.makeClient(sendsDatagrams: true)
      #expect(send(client, "a", 1, 0) == 1)
      #expect(await firstCount(client) == 1)
    }
  #endif
}
