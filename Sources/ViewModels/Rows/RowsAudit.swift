/// What a `RowsViewModel` has done so far, for a header line that is drawn over and over.
public struct RowsStatistics: Sendable {
  /// How edits come to the main actor.
  public let strategy: RowsStrategy
  /// How often the model was started.
  public let generation: Int
  /// Edits of all generations, by kind.
  public let posted: RowCounts
  /// Edits of this generation, by kind.
  public let postedInGeneration: RowCounts
  /// Edits that an observer was notified of, each alone or in a batch.
  public let delivered: Int
  /// Edits that came to the main actor when there was no observer.
  public let unobserved: Int
  /// Edits that nobody was notified of, because the model was started again.
  public let droppedByGeneration: Int
  /// Edits (`mainActor`: and commands) that wait for the main actor.
  public let queued: Int
  /// How many of these are commands, which are no edits yet.
  let queuedCommands: Int
  /// The most edits (`mainActor`: commands) that ever waited.
  public let mostQueued: Int
  /// How often the main actor took what waited.
  public let drains: Int
  /// The most edits that it took at once.
  public let mostPerDrain: Int
  /// How often edits were composed because a notification of each would have taken too much memory.
  public let composedBatches: Int
  /// How often the table rule was broken; `nil` without `RowsConfiguration.audits`.
  public let violations: Int?
  /// How often numbers of edits were left out or came in another order; `nil` without
  /// `RowsConfiguration.audits`.
  public let sequenceGaps: Int?
  /// Snapshots that are alive, in notifications that wait and where observers keep them; `nil` without
  /// `RowsConfiguration.audits`.
  public let liveSnapshots: Int?
  /// The observer, if it is alive, and the keys of watchers that are.
  public let liveObservers: Int
  /// Worker threads that run.
  public let liveThreads: Int
  /// How long edits held the lock; `nil` without `RowsConfiguration.measuresLockHolds`.
  public let lockHolds: LockHolds?
}

/// Whether all of what a `RowsViewModel` has done adds up.
public struct RowsAudit: Sendable {
  /// The figures.
  public let statistics: RowsStatistics
  /// How many rows this generation began with.
  public let initialRows: Int
  /// How many rows the model has.
  public let rows: Int
  /// The fingerprint of the model's rows.
  public let fingerprint: UInt64
  /// The fingerprint of rows that were kept by applying the notifications; `nil` without
  /// `RowsConfiguration.audits`.
  public let mirrorFingerprint: UInt64?

  /// What does not add up, in sentences; empty where all does.
  ///
  /// Fingerprints are compared where nothing waits.
  public var complaints: [String] {
    var complaints: [String] = []
    func expect(_ condition: Bool, _ complaint: @autoclosure () -> String) {
      if !condition { complaints.append(complaint()) }
    }
    let figures = statistics
    let notified = figures.delivered + figures.unobserved
    let queued = figures.queued - figures.queuedCommands
    expect(
      figures.posted.total == notified + figures.droppedByGeneration + queued,
      "\(figures.posted.total) edits posted, but \(notified) notified, \(figures.droppedByGeneration) dropped"
        + " and \(queued) queued"
    )
    let edits = figures.postedInGeneration
    expect(
      rows == initialRows + edits.inserted - edits.removed,
      "\(rows) rows, but \(initialRows) at first, \(edits.inserted) inserted and \(edits.removed) removed")
    if let mirrorFingerprint, queued == 0 {
      expect(mirrorFingerprint == fingerprint, "the mirror has other rows than the model")
    }
    if let violations = figures.violations {
      expect(violations == 0, "the table rule was broken \(violations) times")
    }
    if let gaps = figures.sequenceGaps {
      expect(gaps == 0, "\(gaps) gaps in the numbers of edits")
    }
    return complaints
  }
}
