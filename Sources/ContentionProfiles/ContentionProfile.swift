internal import CContention
internal import InterlockCore

#if DeadlockDetection
  // Links the detector, which the core calls.
  internal import DeadlockDetection
#endif

/// Records which code waits for locks and events, and which code made it wait.
///
/// ```swift
/// import ContentionProfiles
///
/// ContentionProfile.start()
/// // … the part of the program to look at …
/// ContentionProfile.stop()
/// print(ContentionProfile.report().text())
/// ```
///
/// A wait is recorded if its thread went to sleep, but not if a few microseconds of spinning were enough. For
/// each wait the profile has the lock, the stack that waited, the stack that released the lock, and the time.
///
/// While nothing is recorded, this module adds nothing to a fast path. During a recording, acquiring a free
/// lock costs as much as before. Only a thread that goes to sleep records its stack.
///
/// A program that links this module can be profiled without a change. If the environment variable
/// `INTERLOCK_CONTENTION` is set to a path, the program records from its launch, and writes a report to that
/// file when it exits. A path that ends in `.pprof` selects that format, and any other path text. The path
/// `-` is standard error, and `%p` in a path stands for the process ID. `INTERLOCK_CONTENTION_HIDE` may list
/// the names of modules, separated by commas; see `report(hiding:)`.
///
/// A process that records from its launch also writes the report, and replaces an earlier one, on these
/// signals:
/// - SIGUSR2: the process continues. If the program handles or ignores this signal, no report is written. The
///   program must not wait for the signal with `sigwait`.
/// - SIGTERM, SIGINT, SIGHUP: the process then ends. If the program handles or ignores the signal, no report
///   is written.
/// - SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV: the process then ends as it would have without this
///   module. The thread that traps waits for the report for at most two seconds, while other threads
///   continue. No report is written if the thread holds a lock that the report needs, such as the
///   allocator's, or if its stack has overflowed.
///
/// A process with raised privileges, such as that of a setuid program, ignores these variables and signals.
///
/// In a child made by `fork`, nothing is recorded until the child calls `start` or `resume`.
///
/// All functions can be called on any thread. They wait only for threads that are recording a wait or running
/// a function of `ContentionProfile`.
public enum ContentionProfile {
  static let recorder = Recorder()

  private static let hooks: UInt = {
    let hooks = UnsafeMutablePointer<WaitHooks>.allocate(capacity: 1)
    unsafe hooks.initialize(
      to: WaitHooks(
        willSleep: { recorder.willSleep($0) }, ended: { recorder.ended($0, $1) },
        released: { recorder.released($0) }))
    contention_prepare { ContentionProfile.stop() }
    return UInt(bitPattern: hooks)
  }()

  /// Returns a closure that makes slow paths call the recorder, which acquires no lock.
  private static func installation() -> () -> Void {
    // Sound: `hooks` points to a table of functions that is never deallocated.
    { [hooks] in unsafe WaitHooks.install(UnsafePointer(bitPattern: hooks)) }
  }

  /// Whether waits are being recorded.
  public static var isOn: Bool { recorder.withState { $0.isOn } }

  /// Discards earlier records, and begins to record.
  public static func start() { recorder.start(installation()) }

  /// Begins to record, and keeps earlier records.
  ///
  /// Does nothing if waits are already being recorded.
  public static func resume() { recorder.resume(installation()) }

  /// Ends the recording.
  ///
  /// `report` can still be called afterwards. Waits that have not ended are not recorded. Does nothing if no
  /// waits are being recorded.
  public static func stop() {
    recorder.stop { unsafe WaitHooks.install(nil) }
  }

  /// Returns a report of the waits recorded since `start`, and of the waits that have not ended.
  ///
  /// A recording continues meanwhile. The first report takes some milliseconds, because it looks up the names
  /// of functions.
  ///
  /// - Parameter modules: The names of modules whose functions are left out of `Site.waiter`, for
  ///   example modules with the program's own wrappers around locks.
  public static func report(hiding modules: Set<String> = []) -> ContentionReport {
    let now = MonotonicClock.now
    let contents = recorder.contents()
    let keys = contents.sites.keys.map(\.lock) + contents.current.values.map(\.wait.lock)
    let names = contents.names.names(at: Set(keys.map { $0 &+ lockKeyOffset }))
    var symbols = contents.symbols
    let report = ContentionReport(contents, &symbols, names: names, hiding: modules, now: now)
    recorder.withState { [symbols] in $0.symbols = symbols }
    return report
  }

  /// Gives a name to the locks that are stored in an object, for reports.
  ///
  /// ```swift
  /// import ContentionProfiles
  /// import Protectors
  ///
  /// let accounts = Protector(["Ann": 100])
  /// ContentionProfile.name(accounts, "accounts")
  /// ```
  ///
  /// The object can be a protector, an `AtomicProperty`, a `Lifecycle`, or any object with locks as stored
  /// properties. Naming adds nothing to the cost of using the locks, nor to the deallocation of objects
  /// without a name.
  ///
  /// A profile identifies a lock by its address. After the object has been deallocated, another lock may have
  /// the same address. Later reports therefore add `(deallocated)` to the name: some of the waits may be for
  /// an unnamed lock at that address. If the new lock has a name, too, reports show both names. Waits before
  /// the call of this function also get the name. Of deallocated objects, the names
  /// that were given last are kept, at least 1024.
  ///
  /// - Parameters:
  ///   - object: The object, which is not kept alive by its name.
  ///   - name: The name, which need not be unique.
  public static func name(_ object: AnyObject, _ name: String) {
    let released = recorder.withState { $0.names.add(name, object) }
    _ = consume released
  }

  /// Writes a report of this process to a file, and replaces an existing file.
  ///
  /// The report does not wait for the program's locks, so a thread can write it while other threads are
  /// deadlocked.
  ///
  /// - Parameters:
  ///   - path: The path of the file, as in the environment variable `INTERLOCK_CONTENTION`: its suffix
  ///     determines the format, `%p` stands for the process ID, and `-` is standard error.
  ///   - modules: The names of modules whose functions are left out; see `report(hiding:)`.
  /// - Throws: `WriteError` when the file can't be written.
  public static func writeReport(to path: String, hiding modules: Set<String> = []) throws(WriteError) {
    let path = ReportFile.processPath(path)
    let error = ReportFile.write(report(hiding: modules), to: path)
    if error != 0 { throw WriteError(path: path, code: error) }
  }

  /// The reason why a report could not be written.
  public struct WriteError: Error, Hashable {
    /// The path of the file.
    public let path: String
    /// The system's error code, a value of `errno`.
    public let code: Int32
  }
}
