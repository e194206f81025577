internal import CContention
internal import LockSupport

/// Records which code waits for locks and events, and which code made it wait.
///
/// ```swift
/// import ContentionProfiles
///
/// ContentionProfile.start()
/// // … the part of the program to look at …
/// ContentionProfile.stop()
/// print(ContentionProfile.report().text)
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
/// file when it exits. The suffix of the path determines the format: `.json`, `.html`, `.folded` (collapsed
/// stacks), `.pprof`, otherwise text. The path `-` is standard error, and `%p` in a path stands for the
/// number of the process. `INTERLOCK_CONTENTION_HIDE` may have the names of modules, separated by commas: see
/// `report(hiding:)`.
///
/// Such a process also writes the report, and replaces an earlier one, on these signals:
/// - SIGUSR2: the process goes on. A program that handles or ignores this signal gets it instead. A program
///   must not wait for it with `sigwait`.
/// - SIGTERM, SIGINT, SIGHUP: the process then ends. If the program handles or ignores the signal, this
///   module leaves it alone.
/// - SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV: the process then ends as it would have. The thread
///   that traps waits for the report for at most two seconds. A report may not be possible, because the
///   thread may hold the allocator's lock, for instance. Other threads go on meanwhile. There is no report
///   when the stack has overflowed.
///
/// A process with raised privileges, such as that of a setuid program, ignores the variables and has no
/// handlers of these signals.
///
/// In a child made by `fork` nothing is recorded until the child calls `start`.
///
/// All functions can be called on any thread. They wait only for threads that are recording a wait or running
/// one of these functions.
public enum ContentionProfile {
  static let recorder = Recorder()

  /// A spin lock: 1 while a thread starts or ends a recording, makes a report, or uses the variables below.
  private static let guardWord = AtomicWord()

  /// The total duration of the recordings since the last `start`, in nanoseconds, without the current one.
  private static let earlier = AtomicWord()
  /// The time when the current recording began, in nanoseconds.
  private static let began = AtomicWord()

  // Sound: accessed only by the thread that holds the guard.
  private nonisolated(unsafe) static var symbols = Symbols()
  // Sound: as above.
  private nonisolated(unsafe) static var objectNames = ObjectNames()

  private static let hooks: UInt = {
    let hooks = UnsafeMutablePointer<WaitHooks>.allocate(capacity: 1)
    unsafe hooks.initialize(
      to: WaitHooks(
        willSleep: { recorder.willSleep($0) }, ended: { recorder.ended($0, $1) },
        released: { recorder.released($0) }))
    contention_prepare()
    contention_call_in_child { ContentionProfile.abandonInChild() }
    return UInt(bitPattern: hooks)
  }()

  /// Whether waits are recorded.
  public static var isOn: Bool { recorder.isOn }

  /// Discards earlier records, and begins to record.
  ///
  /// The first call reserves the tables. They take up about 6 KB of memory for each pair of a lock and a
  /// stack that is recorded, and are kept.
  public static func start() {
    guarded {
      recorder.start()
      earlier.store(0, .relaxed)
      install()
    }
  }

  /// Begins to record, and keeps earlier records.
  ///
  /// Does nothing if waits are being recorded.
  public static func resume() {
    guarded {
      if recorder.isOn { return }
      recorder.resume()
      install()
    }
  }

  /// Ends the recording in a child made by `fork`.
  ///
  /// This does not wait for threads that were recording or held the guard: they do not exist in the child.
  fileprivate static func abandonInChild() {
    unsafe WaitHooks.install(nil)
    recorder.abandon()
    guardWord.store(0, .relaxed)
  }

  private static func install() {
    began.store(WaitHooks.now, .relaxed)
    // Sound: `hooks` points to a table of functions that is never deallocated.
    unsafe WaitHooks.install(UnsafePointer(bitPattern: hooks))
  }

  /// Ends the recording.
  ///
  /// A report can still be made of the recorded waits. Waits that have not ended are not recorded. Does
  /// nothing if nothing is being recorded.
  public static func stop() {
    guarded {
      if !recorder.isOn { return }
      unsafe WaitHooks.install(nil)
      recorder.stop()
      earlier.add(WaitHooks.now - began.load(.relaxed), .relaxed)
    }
  }

  /// Returns a report of the waits recorded since `start`, and of those that have not ended.
  ///
  /// The recording continues. The first report takes some milliseconds, because it looks up the names of
  /// functions.
  ///
  /// - Parameter modules: The names of modules whose functions are left out of `Stack.clientFrames`: those of
  ///   a program's own wrappers around locks, for instance.
  public static func report(hiding modules: Set<String> = []) -> ContentionReport {
    let (now, contents, names) = guarded { unsafe (WaitHooks.now, recorder.contents(), objectNames) }
    // This may release the last reference to an object, whose `deinit` may call this module.
    let keys = contents.entries.map(\.site.lock) + contents.current.map(\.wait.wait.lock)
    let namesOfLocks = names.names(at: Set(keys.map { $0 &+ lockKeyOffset }))
    return guarded {
      var duration = earlier.load(.relaxed)
      if recorder.isOn { duration += now - min(now, began.load(.relaxed)) }
      return unsafe ContentionReport(
        contents, duration: .nanoseconds(Int64(duration)), &symbols, names: namesOfLocks, hiding: modules,
        now: now)
    }
  }

  /// Gives a name to the locks of an object, for reports.
  ///
  /// ```swift
  /// import ContentionProfiles
  /// import Protectors
  ///
  /// let accounts = Protector(["Ann": 100])
  /// ContentionProfile.name(accounts, "accounts")
  /// ```
  ///
  /// The name is for all locks that are stored in the object itself: for a protector, an `AtomicProperty` or
  /// a `Lifecycle`, and for an object of the program that has locks as stored properties. Naming adds nothing
  /// to the use of the locks, and nothing to the deallocation of objects without a name.
  ///
  /// A profile knows a lock by its address. After the object has been deallocated, another lock may have the
  /// address. So the name has the addition `(deallocated)` in later reports, because some of the waits may be
  /// those of an unnamed successor. A successor that is named, too, adds its name. Waits of a predecessor
  /// count also. The names of the last 1024 deallocated objects are kept, at least.
  ///
  /// - Parameters:
  ///   - object: The object. It is referred to weakly.
  ///   - name: The name, which need not be unique.
  public static func name(_ object: AnyObject, _ name: String) {
    let released = guarded { unsafe objectNames.add(name, object) }
    _ = consume released
  }

  /// Writes a report to a file, for instance of a process that is stuck.
  ///
  /// - Parameters:
  ///   - path: The path of the file, as in the variable `INTERLOCK_CONTENTION`: its suffix determines the
  ///     format.
  ///   - modules: See `report(hiding:)`.
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
    /// The system's number of the error, a value of `errno`.
    public let code: Int32
  }

  private static func guarded<R>(_ body: () -> R) -> R {
    while !guardWord.compareExchange(expected: 0, desired: 1, .acquiring).exchanged { Backoff.yield() }
    defer { guardWord.store(0, .releasing) }
    return body()
  }
}
