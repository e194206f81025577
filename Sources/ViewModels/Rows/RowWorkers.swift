internal import AtomicProperties
internal import Jobs

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The worker threads of a generation (see `RowsViewModel`).
///
/// The threads edit rows until this value is destroyed. Its `deinit` sets a flag, which wakes sleeping
/// threads. Then all threads are joined.
///
/// The threads hold the engine, but neither the view model nor its observer. However, the user's clock or
/// random number generator may release the last reference to the view model on a worker thread. Then the
/// threads are detached instead of joined: a worker can't join itself, and two workers that joined each other
/// would wait forever.
struct RowWorkers: ~Copyable {
  private let flag = StopFlag()
  private let engine: any RowsEngine
  private let threads: JoinedThreads

  /// Starts workers.
  ///
  /// - Parameters:
  ///   - count: The number of workers.
  ///   - generation: The number of the generation (see `RowsViewModel`) whose rows the workers edit.
  ///   - engine: The engine that contains the rows.
  ///   - configuration: The speed, the clock and the random numbers of the workers.
  ///   - running: The number of running workers. It includes each new worker from now until the worker ends.
  init(
    _ count: Int, generation: Int, engine: any RowsEngine, configuration: RowsConfiguration,
    running: AtomicProperty<Int>
  ) {
    self.engine = engine
    let flag = flag
    running.value += count
    threads = JoinedThreads(count) { number in
      // Sound: the pointer only marks the thread. It is compared with `nil`, and never dereferenced.
      unsafe pthread_setspecific(RowWorkers.mark, UnsafeMutableRawPointer(bitPattern: 1))
      let stream = generation << 20 | number
      var worker = RowWorker(
        number: number, generation: generation, engine: engine, flag: flag,
        configuration: configuration,
        random: configuration.makeRandom(configuration.seed, stream))
      worker.run()
      running.value -= 1
    }
  }

  deinit {
    flag.set()
    engine.dismissWorkers()
    if unsafe pthread_getspecific(Self.mark) == nil { threads.join() } else { threads.detach() }
  }

  /// The key of thread-specific data that is non-`nil` on worker threads, and `nil` on all others.
  private static let mark: pthread_key_t = {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key, nil)
    guard code == 0 else {
      // Untested: the system would have to run out of keys.
      misuse("RowsViewModel", "the system refused a key (error \(code))", "create fewer keys")
    }
    return key
  }()
}

/// The work of one worker thread.
struct RowWorker {
  let number: Int
  let generation: Int
  let engine: any RowsEngine
  let flag: StopFlag
  let configuration: RowsConfiguration
  var random: any RandomNumberGenerator & Sendable

  /// Inserts a row immediately, then alternates between sleeping and random edits, until the flag is set.
  mutating func run() {
    let (name, mark) = ("thread-\(number)", "-\(number)")
    var command = RowCommand.insert(name, .share(random.next()))
    while !flag.isSet {
      engine.apply(command, generation: generation)
      let nap = nap()
      if nap > .zero { configuration.clock.sleep(for: nap, unless: flag) }
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

  /// A random time between edits: 1 to 4 seconds divided by the speed.
  ///
  /// A speed below 10⁻⁹ counts as 10⁻⁹, because a `Duration` has a maximum.
  private mutating func nap() -> Duration {
    let thousandths = 1_000 + RowPosition.index(below: 3_001, share: random.next())
    return .milliseconds(thousandths) / max(configuration.speed, 1e-9)
  }
}
