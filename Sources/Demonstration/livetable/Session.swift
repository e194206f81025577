import Snapshots
import ViewModels

/// A run: a model that threads edit, and the table that shows it.
@MainActor
final class Session {
  private(set) var options: Options
  private(set) var isPaused = false
  private(set) var model: RowsViewModel
  let table: Table
  private let start = ContinuousClock.now

  /// Starts the workers.
  init(_ options: Options) {
    self.options = options
    model = Self.makeModel(options)
    table = Table(model.rows)
    model.observer = table
    model.start(workers: options.workers)
  }

  private static func makeModel(_ options: Options) -> RowsViewModel {
    var configuration = RowsConfiguration()
    configuration.strategy = options.strategy == .mainActor ? .mainActor : options.lock.strategy
    configuration.initialRows = (0..<options.rows).map { "row-\($0)" }
    configuration.speed = options.speed
    return RowsViewModel(configuration)
  }

  var elapsed: Duration { ContinuousClock.now - start }

  /// The strategy as the user sees it.
  var strategyName: String {
    options.strategy == .mainActor ? "mainActor" : "snapshots behind \(options.lock.rawValue)"
  }

  // MARK: What the keys do

  /// Puts back the first rows, and starts other workers.
  func restart(workers: Int) {
    options.workers = workers
    isPaused = false
    model.restart(workers: workers)
  }

  /// Begins with another strategy or lock, and with a new model.
  func restart(with change: (inout Options) -> Void) async {
    await endModel()
    change(&options)
    model = Self.makeModel(options)
    model.observer = table
    restart(workers: options.workers)
  }

  func togglePause() async {
    if isPaused {
      model.start(workers: options.workers)
    } else {
      await model.stop()
    }
    isPaused.toggle()
  }

  // MARK: The end

  private var isComplete = true

  /// Stops the workers, and compares the rows of the model with those of the table.
  private func endModel() async {
    await model.stop()
    let rows = model.publishedRows?.current ?? model.rows
    if rows != table.rows { isComplete = false }
  }

  /// Ends the run; the session can't be used afterwards.
  func end() async -> Audit {
    await endModel()
    table.endGeneration()
    var audit = table.audit
    audit.isComplete = isComplete
    audit.remains = model.workerCount
    // The model is released here, unless something holds it.
    weak let ended = model
    model = RowsViewModel()
    if ended != nil { audit.remains += 1 }
    return audit
  }

  // MARK: Figures

  /// One line of figures.
  var figures: String {
    func count(_ change: RowChange) -> Int { table.counts[change] ?? 0 }
    return "\(options.workers) workers\(isPaused ? " (paused)" : ""), \(strategyName),"
      + " generation \(table.audit.generations + 1): \(table.rows.count) rows, +\(count(.inserted))"
      + " -\(count(.removed)) ~\(count(.modified)), \(elapsed.components.seconds) s"
  }
}
