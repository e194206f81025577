internal import AtomicProperties
internal import Synchronization

/// Threads that edit rows until this goes away.
///
/// The end closes a channel, which wakes those that sleep, and joins them. They hold the engine and not the
/// view model or its observer. But the clock and the random numbers are the user's, and may release the view
/// model on a worker: then nobody is joined, see `WorkerThread`.
struct RowWorkers: ~Copyable {
  private let channel = StopChannel()
  private let engine: any RowsEngine
  // Destroyed after `deinit`, which has closed the channel by then: that joins the threads, or detaches them.
  private let threads: [JoinedThread]

  /// Starts workers.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - generation: The generation whose rows they edit.
  ///   - engine: Where the rows are.
  ///   - configuration: Speed, clock and random numbers.
  ///   - running: Counts threads that run.
  init(
    _ count: Int, generation: Int, engine: any RowsEngine, configuration: RowsConfiguration,
    running: LockFreeProperty<Int>
  ) {
    self.engine = engine
    let channel = channel
    threads = (0..<count).map { number in
      running.wrappingAdd(1, ordering: .relaxed)
      let stream = generation << 20 | number
      return JoinedThread {
        var worker = RowWorker(
          number: number, generation: generation, engine: engine, channel: channel,
          configuration: configuration,
          random: configuration.makeRandom(configuration.seed, stream))
        worker.run()
        running.wrappingSubtract(1, ordering: .relaxed)
      }
    }
  }

  deinit {
    channel.close()
    engine.dismissWorkers()
  }

  /// A thread in an array.
  private final class JoinedThread: Sendable {
    private let thread: WorkerThread

    init(_ body: @escaping @Sendable () -> Void) {
      thread = WorkerThread(body)
    }
  }
}

/// What one of the threads does.
struct RowWorker {
  let number: Int
  let generation: Int
  let engine: any RowsEngine
  let channel: StopChannel
  let configuration: RowsConfiguration
  var random: any RandomNumberGenerator & Sendable

  /// Adds a row at once; then sleeps, stops if asked to, and edits, over and over.
  mutating func run() {
    let (name, mark) = ("thread-\(number)", "-\(number)")
    var command = RowCommand.insert(name, .share(random.next()))
    while !channel.isClosed {
      engine.apply(command, generation: generation)
      let nap = nap()
      if nap > .zero { configuration.clock.sleep(for: nap, unless: channel) }
      let choice = RowPosition.index(below: 100, share: random.next())
      let position = RowPosition.share(random.next())
      command =
        switch choice {
        case 0..<20: .insert(name, position)
        case 20..<30: .remove(position)
        default: .append(mark, position)
        }
    }
  }

  /// 1 to 4 seconds at speed 1; a century at most, because a `Duration` has an end.
  private mutating func nap() -> Duration {
    let thousandths = 1_000 + RowPosition.index(below: 3_001, share: random.next())
    return .milliseconds(thousandths) / max(configuration.speed, 1e-9)
  }
}
