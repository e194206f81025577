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
/// The first change after a save starts a timer. When its time has passed, the newest rows are saved. So each
/// change is saved within the delay, at most one save begins in a delay, and nothing runs while nothing changes.
///
/// - **Files**: they belong to a serial queue of yours. A save is a work item of that queue. So other work on
///   these files, in the same queue, is never concurrent with a save.
/// - **Threads**: any thread may call any function. On the files' queue, and so in a writer, `saveCount` and
///   `add(_:)` trap. `invalidate()` may hang or trap there and in `onFailure`, because it waits for a save.
/// - **End**: an activation that is dropped without `invalidate()` traps.
public final class Autosave: Activatable {
  /// The settings of an `Autosave`, fixed at its activation.
  public struct Configuration: Sendable {
    /// The time to wait after a change before saving.
    ///
    /// Later changes don't extend this time.
    public var delay = Duration.seconds(1)
    /// Called on a background thread when a writer fails, with its error.
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
    /// The newest rows; `nil` when a save has taken them.
    var rows: RowsSnapshot?
    var isSaving = false
  }

  private let configuration: Configuration
  private let lifecycle = Lifecycle(label: "Autosave")
  private let unsaved = ExclusiveProtector(Unsaved(), label: "unsaved rows")
  private let timer = ExclusiveProtector<Timer?>(nil, label: "timer of autosave")
  private typealias Writers = [(RowsSnapshot) throws -> Void]

  /// The writers; `nil` while a save has taken them, because they need not be `Sendable`.
  private let writers = ExclusiveProtector<Writers?>([], label: "writers")
  private let saves: QueueProperty<Int>
  private let timers = DispatchQueue(label: "Interlock.Autosave")

  /// Makes an object that is not active: it saves nothing.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    saves = QueueProperty(0, on: configuration.files, label: "saves")
  }

  /// Starts saving changes; `Setup.activate()` calls this.
  public func activate() {
    lifecycle.activate()
  }

  /// Saves the changes that are not saved yet, and ignores all later changes.
  ///
  /// `Activation.invalidate()` calls this. The first call blocks until a running save and the last save have
  /// ended.
  public func invalidate() {
    lifecycle.invalidate {
      endTimer()
      timers.sync { save() }
    }
  }

  // MARK: Saving

  /// Adds a writer, which writes the rows at each later save.
  ///
  /// Blocks while a save is running.
  ///
  /// - Parameter write: Called on a background thread, one call at a time. It need not be `@Sendable`: it may
  ///   have a buffer, or a formatter with a state, which no other code uses. If it throws, the rows are
  ///   written again after the next change.
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
      // The replaced rows may be the last reference to many nodes. They are released outside the lock.
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

  /// Invalidates the timer outside the lock.
  ///
  /// Its own handler does so before a save. So there is no timer when the next change starts one, and that
  /// change does not wait for the save.
  private func endTimer() {
    timer.withLock { $0.take() }?.invalidate()
  }

  /// Saves the newest rows; called on the queue of the timers, so that a later save has later rows.
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

  /// The number of times that rows were saved.
  ///
  /// Waits for the earlier work of the files' queue, so also for a running save. Traps on that queue.
  public var saveCount: Int { saves.value }

  /// Whether all changes are saved, now and at each later time, for a mark in a window's title.
  ///
  /// A slow reader gets the newest value, and misses earlier values.
  public var savedStates: ProtectorValues<Bool> {
    unsaved.values(of: { $0.rows == nil && !$0.isSaving })
  }

  /// Waits, without a thread, until all changes are saved.
  ///
  /// - Returns: `false` if the task was cancelled first.
  public nonisolated(nonsending) func waitUntilSaved() async -> Bool {
    await unsaved.withLock(waitingUntil: { $0.rows == nil && !$0.isSaving }) { _ in }
  }
}
