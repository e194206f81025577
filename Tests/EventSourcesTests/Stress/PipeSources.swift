import Dispatch
import EventSources
import Lifecycles
import Protectors
import TestSupport

/// A stress test of sources that watch pipes, whose result is a count of each kind of error.
///
/// Several threads make, feed, suspend and cancel these sources at random.
///
/// Half of the sources close their descriptor themselves. In the other half, the cancel handler closes the
/// descriptor. Each descriptor is a duplicate, so that the pipe stays open while other threads write to it.
enum PipeSources {
  /// The counters of a run.
  struct Report: Sendable {
    var made = 0
    var cancelled = 0
    /// The number of cancel handlers that ran twice, off their queue, or with a descriptor that was not open.
    var wrongCancels = 0
    /// The number of events that were handled after their source's `invalidate()` had returned.
    var lateEvents = 0
    var events = 0
    /// The number of captured objects that were not released.
    var leaked = 0
  }

  /// A source with its pipe.
  private final class Entry: Sendable {
    let pipe: Pipe
    let source: ActivatedSource<ReadEvent>
    /// Whether `invalidate()` has returned: a handler that reads `true` is late.
    ///
    /// The event handler reads this, and the thread that removes the entry from the list writes it after
    /// `invalidate()`. There is deliberately no lock: the source itself must order all reads before the
    /// write. If it does not, ThreadSanitizer reports a race.
    let isOver: Unguarded<Bool>

    init(_ pipe: Pipe, _ source: ActivatedSource<ReadEvent>, _ isOver: Unguarded<Bool>) {
      self.pipe = pipe
      self.source = source
      self.isOver = isOver
    }

    deinit {
      Pipe.close(pipe.reader)
      Pipe.close(pipe.writer)
    }
  }

  /// Runs the test, and returns its counts after all sources have been cancelled.
  ///
  /// - Parameters:
  ///   - count: The total number of sources.
  ///   - threads: The number of threads that make, feed, suspend and cancel the sources.
  static func run(count: Int, threads: Int) -> Report {
    let key = DispatchSpecificKey<Int>()
    let queues = (0..<3).map { number in
      let queue =
        number < 2
        ? DispatchQueue(label: "serial \(number)")
        : DispatchQueue(label: "concurrent", attributes: .concurrent)
      queue.setSpecific(key: key, value: number)
      return queue
    }
    let report = Protector(Report())
    let entries = Protector<[Entry]>([])
    let lifetimes = Lifetimes()

    @Sendable func make(_ random: inout SplitMix64) {
      let pipe = Pipe()
      let descriptor = Pipe.duplicate(pipe.reader)
      let owns = random.happens(percent: 50)
      let number = Int(random.next() % 3)
      let selfCancelling = random.happens(percent: 10)
      let object = Tracked(lifetimes)
      let isOver = Unguarded(false)
      let cancels = Unguarded(0)
      let myself = Protector<[ActivatedSource<ReadEvent>]>([])
      var configuration = ActivatedSource<ReadEvent>.Configuration.reading(
        descriptor, closesDescriptor: owns, on: queues[number], label: "pipe")
      configuration.onEvent = { _ in
        _ = object.number
        let isLate = isOver.value
        let bytes = pipe.drain()
        report.withWriteLock { report in
          report.events += 1
          if isLate { report.lateEvents += 1 }
        }
        // Some sources are invalidated in their own event handler, which refers to the source through
        // `myself`. The cancel handler breaks this reference cycle.
        if selfCancelling, bytes > 0 { myself.value.first?.invalidate() }
      }
      configuration.onCancel = {
        _ = object.number
        // There is deliberately no lock, because the source must call this handler only once. A second call
        // is an error, which the count below or ThreadSanitizer reports.
        cancels.value += 1
        var isRight = cancels.value == 1 && DispatchQueue.getSpecific(key: key) == number
        if !owns { isRight = Pipe.close(descriptor) && isRight }
        myself.exchange([])
        report.withWriteLock { report in
          report.cancelled += 1
          if !isRight { report.wrongCancels += 1 }
        }
      }
      let source = ActivatedSource(configuration)
      myself.exchange([source])
      if !random.happens(percent: 10) { source.activate() }
      report.withWriteLock { $0.made += 1 }
      entries.withWriteLock { $0.append(Entry(pipe, source, isOver)) }
    }

    race(threads: threads) { index in
      var random = Seed.current.generator(stream: index)
      var missing = count / threads + (index < count % threads ? 1 : 0)
      while true {
        // libdispatch may cancel sources late on a busy machine. The limit of 60 live sources keeps the
        // number of open descriptors small.
        let alive = report.withReadLock { $0.made - $0.cancelled }
        if missing > 0, alive < 60 {
          make(&random)
          missing -= 1
        }
        let entry = entries.withReadLock { $0.randomElement(using: &random) }
        guard let entry else {
          if missing == 0 { break }
          PlatformThread.yield()
          continue
        }
        switch random.next() % 6 {
        case 0, 1:
          entry.pipe.write(count: Int(random.next() % 50) + 1)
        case 2:
          entry.source.suspend()
          PlatformThread.yield()
          entry.source.resume()
        case 3:
          entry.source.activate()
        default:
          // Several threads may invalidate the same source. Only the thread that removes it from the list
          // sets `isOver`.
          entry.source.invalidate()
          let isMine = entries.withWriteLock { entries in
            guard let place = entries.firstIndex(where: { $0 === entry }) else { return false }
            entries.remove(at: place)
            return true
          }
          if isMine { entry.isOver.value = true }
        }
      }
      report.withReadLock(waitingUntil: { $0.cancelled >= count }) { _ in }
    }
    // After the cancel handlers, libdispatch may still release captured objects on these queues. The barriers
    // wait for that.
    for queue in queues { queue.sync(flags: .barrier) {} }
    var result = report.value
    result.leaked = lifetimes.alive
    return result
  }
}
