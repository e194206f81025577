internal import Commands
internal import Lifecycles
package import RowsInterface
package import ViewModels

/// A run of the demonstration.
///
/// A run has a model, workers that edit the model's rows, a table that shows the rows, and a form
/// (`PlayerViewModel`). `end(recorded:)` ends the run and returns its `Audit`.
@MainActor
package final class Session {
  private let settings: SessionSettings
  private let model: RowsViewModel
  /// The rows, if code in another language owns them; `nil` if the model owns the rows.
  private let core: ForeignRows?
  /// The number of mistakes that all cores in this process had made before this run.
  private let refusedBefore = ForeignRows.refusedEdits
  /// The model's observer, which the model holds weakly; `nil` after the end of the run.
  private var table: Table?
  package let player: PlayerViewModel
  /// The shelf: a second list, to which the user can move rows; `nil` if the model's rows can't be moved.
  private let shelf: RowsViewModel?
  private var search: RowSearch?
  private let folder: SaveFolder?
  /// Saves the rows while the run lasts.
  private var autosave: Activation<Autosave>?

  private let recorder: Recorder?
  private let overtaking: Overtaking
  private let start = ContinuousClock.now
  private var workers: Int?
  /// The number of the current generation: how often this run has called `restart(workers:)`.
  ///
  /// The model counts one more: its first generation has no workers, and ends before it is shown.
  private var generation = 0
  /// The counts of the generations that have ended.
  private var ended: [Audit.Generation] = []
  /// The numbers of edits that the model had delivered and dropped up to the last restart.
  private var before = (delivered: 0, dropped: 0)

  /// Makes a run whose model owns the rows; no edit is made yet.
  ///
  /// - Parameters:
  ///   - settings: The settings of the run.
  ///   - recorder: Records the edits; `nil` to record nothing.
  ///   - folder: Where rows and uploads are saved; `nil` to save nothing.
  package convenience init(
    _ settings: SessionSettings, recorder: Recorder? = nil, savingTo folder: SaveFolder? = nil
  ) {
    let overtaking = Overtaking()
    let model = RowsViewModel(Self.configuration(settings, records: recorder != nil)) { engine in
      guard settings.bug == .unlockFirst else { return engine }
      return UnlockFirstRowsEngine(engine) { _ in overtaking.happen() }
    }
    self.init(settings, recorder, model, nil, overtaking, folder)
  }

  /// Makes a run whose rows belong to `core`; no edit is made yet.
  ///
  /// Throws if the core refuses to begin.
  package convenience init(
    _ settings: SessionSettings, recorder: Recorder? = nil, core: ForeignRows,
    savingTo folder: SaveFolder? = nil
  ) throws(SystemFailure) {
    let configuration = Self.configuration(settings, records: recorder != nil)
    guard let model = RowsViewModel(configuration, core: core) else {
      throw SystemFailure(description: "the core refuses to begin")
    }
    self.init(settings, recorder, model, core, Overtaking(), folder)
  }

  private init(
    _ settings: SessionSettings, _ recorder: Recorder?, _ model: RowsViewModel, _ core: ForeignRows?,
    _ overtaking: Overtaking, _ folder: SaveFolder?
  ) {
    self.settings = settings
    self.recorder = recorder
    self.model = model
    self.core = core
    self.overtaking = overtaking
    self.folder = folder
    player = PlayerViewModel(uploader: RecordedUploads(uploader: SimulatedServer(), folder: folder))
    shelf = model.canMoveRows ? RowsViewModel() : nil
    let table = Table(
      model.rows, recorder: recorder, pullingFrom: settings.bug == .pull ? model : nil)
    model.observer = table
    self.table = table
    if let folder {
      let autosave = folder.saveRows()
      autosave.object.rowsChanged(to: model.rows)
      model.observe(whileAlive: folder) { [autosave = autosave.object] in autosave.rowsChanged(to: $0) }
      self.autosave = consume autosave
    }
  }

  private static func configuration(
    _ settings: SessionSettings, records: Bool
  ) -> RowsConfiguration {
    var configuration = RowsConfiguration()
    configuration.strategy = settings.strategy
    configuration.lock = settings.lock
    configuration.speed = settings.speed
    configuration.seed = settings.seed
    configuration.initialRows = settings.initialRows
    configuration.audits = true
    configuration.measuresLockHolds = true
    // The model combines the edits beyond `backlogBytes` into one batch. A recording needs each single edit,
    // so the backlog is unlimited.
    if records { configuration.backlogBytes = .max }
    return configuration
  }

  // MARK: Generations

  /// Begins a generation: puts back the initial rows, and starts new workers.
  ///
  /// - Parameter count: The number of workers.
  /// - Returns: The number of the generation.
  @discardableResult
  package func restart(workers count: Int) -> Int {
    // A restart drops edits that were not delivered to the observer. A recording must contain all edits, so
    // these edits are delivered first.
    let account = endGeneration(delivering: recorder != nil)
    model.restart(workers: count)
    if let account { add(account) }
    workers = count
    generation += 1
    recorder?.begin(generation: generation, workers: count, rows: model.rows)
    showBug()
    if let search { self.search(for: search.text) }
    return generation
  }

  /// Makes an edit.
  ///
  /// - Returns: Whether the row that the command names existed.
  package func apply(_ command: RowCommand) -> Bool {
    model.apply(command)
  }

  /// Delivers all waiting edits.
  package func deliver() {
    model.deliverPending()
  }

  /// Stops the workers.
  ///
  /// - Parameter delivers: Whether to deliver waiting edits. With the strategy `mainActor`, the delivery also
  ///   makes the edits that the workers have requested by commands.
  /// - Returns: The number of workers that were stopped, and the model's statistics; `nil` if
  ///   `restart(workers:)` was not called yet.
  private func endGeneration(delivering delivers: Bool) -> (workers: Int, statistics: RowsStatistics)? {
    model.stop()
    if delivers { model.deliverPending() }
    return workers.map { ($0, model.statistics) }
  }

  /// Appends to `ended` the counts of the generation whose workers were stopped.
  ///
  /// Must be called after the model's next restart, which drops the waiting edits, and before `generation`
  /// changes. At the end of the run, it must be called after all edits have been delivered.
  private func add(_ account: (workers: Int, statistics: RowsStatistics)) {
    let now = model.statistics
    let (workers, statistics) = account
    ended.append(
      Audit.Generation(
        number: generation, workers: workers, posted: statistics.postedInGeneration.total,
        delivered: now.delivered - before.delivered, dropped: now.droppedByGeneration - before.dropped))
    before = (now.delivered, now.droppedByGeneration)
  }

  /// Makes the edits that always trigger this run's bug; makes none if the bug needs none.
  private func showBug() {
    switch settings.bug {
    case .none, .late: break
    case .unordered, .wrongRow:
      // After three edits, a core with the bug `unordered` makes a mistake in its next edit, and a core with
      // the bug `wrongRow` in its next modification. The six edits of this loop are therefore enough.
      for _ in 0..<3 {
        model.apply(.insert("row", .index(0)))
        model.apply(.append("-0", .index(0)))
      }
    case .unlockFirst:
      overtaking.prepare { [weak model] in model?.apply(.insert("second", .index(0))) }
      model.apply(.insert("first", .index(0)))
    case .pull:
      // This code occupies the main actor, so the first edit is delivered only after the second one is made.
      // With the bug `pull`, the notification of the first edit then shows rows that contain the second edit.
      model.apply(.insert("first", .index(0)))
      model.apply(.insert("second", .index(0)))
    }
  }

  // MARK: The shelf

  /// Moves a row to the end of the shelf.
  package func shelve(_ index: Int) {
    guard let shelf else { return }
    model.move(.index(index), to: shelf, at: .share(.max))
    shelf.deliverPending()
  }

  /// Moves the last row of the shelf back to the table, to `index`; does nothing if the shelf is empty.
  package func unshelve(to index: Int) {
    guard let shelf else { return }
    shelf.move(.share(.max), to: model, at: .index(index))
    shelf.deliverPending()
  }

  // MARK: The search

  /// Ends the current search, and begins a search for the rows that contain `text`.
  ///
  /// Begins no search if `text` is `nil`.
  package func search(for text: String?) {
    search?.cancel()
    search = text.map { RowSearch($0, in: model.publishedRows) }
  }

  /// Makes the screen scroll to the first row that the current search finds, as soon as there is a result.
  package func showFound() {
    search?.isToShow = true
  }

  /// The first failure to save; `nil` if there was none.
  var saveFailure: FileFailure? { folder?.failure }

  // MARK: What is shown

  /// The time that the run has taken so far.
  package var elapsed: Duration { ContinuousClock.now - start }

  package var figures: Figures {
    let statistics = model.statistics
    var figures = Figures()
    figures.workers = workers ?? 0
    figures.strategy = settings.strategyName
    figures.generation = generation
    figures.elapsed = elapsed
    figures.rows = model.rows.count
    figures.inserted = statistics.posted.inserted
    figures.removed = statistics.posted.removed
    figures.modified = statistics.posted.modified
    figures.queued = statistics.queued
    figures.longestQueue = statistics.mostQueued
    figures.shelved = shelf?.rows.count
    figures.violations = table?.mirror.violations ?? 0
    return figures
  }

  /// Returns the current contents of the screen, and makes the marks of recent changes one tick older.
  ///
  /// - Parameters:
  ///   - controls: The position of the window and the open question. This function changes the position so
  ///     that the window shows existing rows. It may also scroll to a row that was found, or to the latest
  ///     change.
  ///   - page: The number of visible rows.
  package func screen(_ controls: inout Controls, page: Int) -> ScreenState {
    table?.pass()
    let rows = model.rows
    let changes = table?.changes
    if let search {
      search.look(after: model.statistics.delivered)
      if search.isToShow, let found = search.found {
        if let first = found.first { controls.scroll(to: first) }
        self.search(for: nil)
      }
    }
    controls.show(count: rows.count, page: page, latest: changes?.latest)
    let end = min(rows.count, controls.start + page)
    let visible = (controls.start..<max(controls.start, end)).map { index in
      ScreenState.Window.Row(
        text: rows[index].text, mark: changes?[index], isLatest: index == changes?.latest)
    }
    var state = ScreenState(
      figures: figures,
      table: ScreenState.Window(
        rows: visible, start: controls.start, count: rows.count, follows: controls.follows),
      player: player.state, prompt: controls.prompt)
    state.found = search?.summary
    return state
  }

  // MARK: The end

  /// Stops the workers, delivers waiting edits, and checks the results.
  ///
  /// - Parameter recorded: The rows at the end of the recorded run that was replayed; `nil` if this run is no
  ///   replay.
  package func end(recorded: Audit.Rows? = nil) -> Audit {
    let elapsed = elapsed
    search(for: nil)
    if let account = endGeneration(delivering: true) { add(account) }
    if let folder { model.endObservation(by: folder) }
    autosave.take()?.invalidate()
    let statistics = model.statistics
    let rows = Audit.Rows(model.audit())
    let mirror = table?.mirror ?? RowsMirror(model.rows)
    let threads = statistics.liveThreads
    core?.invalidate()
    // Release the table, which observes the model. A snapshot or an observer that is still alive afterwards
    // was leaked; the audit reports the number of each.
    table = nil
    let remains = model.statistics
    return Audit(
      seed: settings.seed, strategy: settings.strategyName, bug: settings.bug.rawValue,
      elapsed: elapsed, generations: ended, initialRows: settings.initialRows.count,
      inserted: statistics.postedInGeneration.inserted, removed: statistics.postedInGeneration.removed,
      modified: statistics.postedInGeneration.modified, model: rows,
      mirror: Audit.Rows(count: mirror.count, fingerprint: mirror.fingerprint), recorded: recorded,
      sequenceGaps: mirror.sequenceGaps, violations: mirror.violations, mostQueued: statistics.mostQueued,
      remains: Audit.Remains(
        snapshots: remains.liveSnapshots ?? 0, observers: remains.liveObservers,
        threads: threads),
      refusedEdits: core.map { _ in Int(ForeignRows.refusedEdits - refusedBefore) },
      lockHolds: statistics.lockHolds.flatMap { $0.count > 0 ? Audit.LockHolds($0) : nil })
  }
}

extension Audit.Rows {
  fileprivate init(_ audit: RowsAudit) {
    self.init(count: audit.rows, fingerprint: audit.fingerprint)
  }
}

extension Audit.LockHolds {
  fileprivate init(_ holds: LockHolds) {
    self.init(
      count: holds.count, median: holds.quantile(0.5), percentile99: holds.quantile(0.99),
      longest: holds.longest)
  }
}
