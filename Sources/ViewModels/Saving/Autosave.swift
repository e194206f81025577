internal import AtomicProperties
public import Dispatch
internal import EventSources
public import Lifecycles
public import Protectors

/// Saves rows a moment after they have changed.
///
/// ```swift
/// var setup = Setup<Autosave>(Autosave.Configuration(filesOn: files))
/// setup.configuration.delay = .seconds(1)
/// let activation = setup.activate()
/// let autosave = activation.object
/// autosave.add { try text.write($0) }              // the closure need not be Sendable
/// model.observe(whileAlive: table) { autosave.rowsChanged(to: $0) }
/// …
/// activation.invalidate()                          // saves what is not saved yet
/// ```
///
/// The first change after a save starts a timer. When the timer fires, the newest rows are saved. A save
/// therefore begins within the delay after each change, or later if the files' queue is busy. At most one
/// save begins in each delay. Without changes, nothing runs.
///
/// - **Files**: the files belong to a serial queue of yours, on which all saves run. Your other work on the
///   files must run on this queue, too. It is then never concurrent with a save.
/// - **Threads**: any thread may call any function, with three exceptions. On the files' queue, on which
///   writers run, `saveCount` and `add(_:)` trap. On that queue and in `onFailure`, `invalidate()` may hang
///   or trap, because it waits for a save.
/// - **End**: destroying an activation without `invalidate()` traps.
public final class Autosave: Activatable {
  /// The settings of an `Autosave`, fixed at its activation.
  public struct Configuration: Sendable {
    /// The time from the first unsaved change to its save.
    ///
    /// Later changes don't extend this time. A negative delay traps at the first change.
    public var delay = Duration.seconds(1)
    /// Called with the error of each writer that fails; ignores errors by default.
    ///
    /// It runs on a background thread; after the last save, it can run on the thread that calls
    /// `invalidate()`.
    public var onFailure: @Sendable (any Error) -> Void = { _ in }
    let files: DispatchQueue

    /// Makes settings with a delay of a second.
    ///
    /// - Parameter queue: The serial queue to which the files belong.
    public init(filesOn queue: DispatchQueue) {
      files = queue
    }
  }

  private typealias Timer = Activation<ActivatedSource<TimerEvent>>

  /// The rows that are not saved yet.
  private struct Unsaved: Sendable {
    /// The newest rows that no save has taken; `nil` if there are none.
    var rows: RowsSnapshot?
    var isSaving = false
  }

  private let configuration: Configuration
  private let lifecycle = Lifecycle(label: "Autosave")
  private let unsaved = ExclusiveProtector(Unsaved(), label: "unsaved rows")
  private let timer = ExclusiveProtector<Timer?>(nil, label: "timer of autosave")
  private typealias Writers = [(RowsSnapshot) throws -> Void]

  /// The writers; `nil` during a save, which takes them out because they need not be `Sendable`.
  private let writers = ExclusiveProtector<Writers?>([], label: "writers")
  private let saves: QueueProperty<Int>
  private let timers = DispatchQueue(label: "Interlock.Autosave")

  /// Makes an inactive object, which ignores changes until it is activated.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    saves = QueueProperty(0, on: configuration.files, label: "saves")
  }

  /// Starts saving changes.
  ///
  /// Call `Setup.activate()` instead, which calls this function.
  public func activate() {
    lifecycle.activate()
  }

  /// Saves the changes that are not saved yet, and ignores all later changes.
  ///
  /// Call `Activation.invalidate()` instead, which calls this function. The first call blocks until a running
  /// save and this final save have ended.
  public func invalidate() {
    lifecycle.invalidate {
      endTimer()
      timers.sync { save() }
    }
  }

  // MARK: Saving

  /// Adds a writer, which writes the rows at each later save.
  ///
  /// Blocks while a save is running. Traps on the files' queue.
  ///
  /// - Parameter write: Called on the files' queue, one call at a time. It need not be `@Sendable`: it may
  ///   own mutable state, such as a buffer, that no other code uses. If it throws, `onFailure` gets the
  ///   error. The failed call is not repeated: the writer is next called at the next save.
  public func add(_ write: sending @escaping (RowsSnapshot) throws -> Void) {
    saves.preconditionNotOnQueue()
    writers.withLock(waitingUntil: { $0 != nil }, sending: write) { writers, write in writers?.append(write) }
  }

  /// Requests a save of changed rows; has no effect before activation and after invalidation.
  ///
  /// Never waits for a save.
  ///
  /// - Parameter rows: All rows after the change.
  public func rowsChanged(to rows: RowsSnapshot) {
    lifecycle.whileActive {
      // Keeps the replaced rows until after the unlock, because they may hold the last references to many
      // nodes.
      let isFirst = unsaved.withWriteLockKeepingOldValue { unsaved in
        defer { unsaved.rows = rows }
        return unsaved.rows == nil
      }
      if isFirst { startTimer() }
    }
  }

  private func startTimer() {
    var setup = Setup<ActivatedSource<TimerEvent>>(
      .timer(after: configuration.delay, on: timers, label: "autosave"))
    setup.configuration.onEvent = { [weak self] _ in
      self?.endTimer()
      self?.save()
    }
    timer.withLock(sending: setup) { timer, setup in timer = setup.activate() }
  }

  /// Takes the timer out of its protector, and invalidates it outside the lock.
  ///
  /// The timer's handler must call this before it saves. Then the next change can start a new timer without
  /// waiting for the save.
  private func endTimer() {
    timer.withLock { $0.take() }?.invalidate()
  }

  /// Saves the newest rows.
  ///
  /// Must be called on the queue `timers`, so that saves run in the order in which they take the rows.
  private func save() {
    let rows = unsaved.withLock(when: { $0.rows != nil }) { unsaved in
      unsaved.isSaving = true
      return unsaved.rows.take()!
    }
    guard let rows else { return }
    var failures: [any Error] = []
    saves.modify { saves in
      let taken = writers.exchange(nil)
      for write in taken ?? [] {
        do { try write(rows) } catch { failures.append(error) }
      }
      writers.exchange(taken)
      saves += 1
    }
    unsaved.withLock { $0.isSaving = false }
    failures.forEach(configuration.onFailure)
  }

  // MARK: What was saved

  /// The number of saves, including those in which a writer failed.
  ///
  /// Blocks until the work that is already on the files' queue has ended, including a running save. Traps on
  /// that queue.
  public var saveCount: Int { saves.value }

  /// An asynchronous sequence that says whether all changes are saved: the current value, and each later one.
  ///
  /// Use it, for example, to mark the title of a window. A slow reader gets the newest value, and misses
  /// earlier values. A save counts even if a writer failed.
  public var savedStates: ProtectorValues<Bool> {
    unsaved.values(of: { $0.rows == nil && !$0.isSaving })
  }

  /// Suspends the calling task until all changes are saved; a save counts even if a writer failed.
  ///
  /// - Returns: `true` if all changes are saved; `false` if the task was cancelled first.
  public nonisolated(nonsending) func waitUntilSaved() async -> Bool {
    await unsaved.withLock(waitingUntil: { $0.rows == nil && !$0.isSaving }) { _ in }
  }
}
