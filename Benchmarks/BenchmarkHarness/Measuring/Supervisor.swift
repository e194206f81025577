/// The reason why a `Session` ends before its last measurement.
enum EarlyEnd: Error {
  /// The program must end.
  case interrupted
  /// A job did not end, and its threads still run; the text describes how far they have come.
  case abandoned(String)
}

/// Runs jobs on the threads of a pool, and gives up a job that does not end.
struct Supervisor {
  /// The time between two polls of a running job, in milliseconds.
  ///
  /// Most rounds are shorter than this time, so polling does not disturb them.
  private static let lookMilliseconds = 100

  private let pool: WorkerPool
  /// The number of polls after which a job is given up.
  ///
  /// The limit is a number of polls and not a time, so that time in which the process is stopped does not
  /// count.
  private let limit: Int
  /// The number of polls left for jobs to end after an interruption; at 0, the running job is given up.
  ///
  /// All jobs together have half a second. `Interruption` ends the process after about two seconds, and the
  /// report needs the rest of that time.
  private var looksAfterInterruption = 500 / lookMilliseconds

  init(pool: WorkerPool, limitMilliseconds: Int) {
    self.pool = pool
    limit = max(1, limitMilliseconds / Self.lookMilliseconds)
  }

  /// Runs `job` on the first `workers` threads of the pool, and waits for its end.
  ///
  /// If the program must end, the supervisor asks the workers to stop, and throws `EarlyEnd.interrupted` as
  /// soon as they have stopped. If the job takes too long, it throws `EarlyEnd.abandoned`, and the workers
  /// continue to run.
  ///
  /// - Parameters:
  ///   - state: The state of the round, which tells the workers to stop and describes their progress.
  ///   - isInterrupted: Returns whether the program must end; called several times per second.
  mutating func run(
    on workers: Int, _ state: RoundState, isInterrupted: () -> Bool, _ job: @escaping WorkerPool.Job
  ) throws(EarlyEnd) {
    pool.start(on: workers, job)
    var looks = 0
    var isCut = false
    while !pool.wait(nanoseconds: UInt64(Self.lookMilliseconds) * 1_000_000) {
      looks += 1
      if isInterrupted() {
        state.end()
        isCut = true
        looksAfterInterruption -= 1
      }
      if looks >= limit || looksAfterInterruption <= 0 {
        // Leaks the pool: its threads still use it, and its `deinit` would wait for them.
        _ = Unmanaged.passRetained(pool)
        let seconds = Figures.fixed(Double(looks * Self.lookMilliseconds) / 1_000, 1)
        throw .abandoned("did not end within \(seconds) s: \(state.text)")
      }
    }
    if isCut { throw .interrupted }
  }
}
