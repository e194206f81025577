/// Counters of a `RowsViewModel`, for example for a status line.
public struct RowsStatistics: Sendable {
  /// The model's strategy.
  public let strategy: RowsStrategy
  /// The number of the current generation (see `RowsViewModel`); 1 before the first restart.
  public let generation: Int
  /// The numbers of edits that were posted since the model was made, by kind.
  public let posted: RowCounts
  /// The numbers of edits that were posted in the current generation (see `RowsViewModel`), by kind.
  public let postedInGeneration: RowCounts
  /// The number of edits that an observer was notified of, one by one or in a batch.
  public let delivered: Int
  /// The number of edits that were delivered while there was no observer.
  public let unobserved: Int
  /// The number of edits that were dropped without a notification, because the model was started again.
  public let droppedByGeneration: Int
  /// The number of edits that wait for the main actor.
  ///
  /// With the strategy `mainActor` it includes waiting commands.
  public let queued: Int
  /// The number of commands that `queued` includes.
  ///
  /// A command is an edit that the main actor has yet to make. The other queued edits have been made, but not
  /// delivered.
  let queuedCommands: Int
  /// The greatest number of edits that waited for the main actor at the same time.
  ///
  /// With the strategy `mainActor` it includes waiting commands.
  public let mostQueued: Int
  /// The number of drains, each of which took all waiting edits.
  public let drains: Int
  /// The greatest number of edits that the main actor has taken in one drain.
  public let mostPerDrain: Int
  /// The number of times that edits were combined, because their notifications would have taken too much
  /// memory.
  public let composedBatches: Int
  /// The number of violations of the table rule (see `RowsMirror`); `nil` without `RowsConfiguration.audits`.
  public let violations: Int?
  /// The number of times that edit numbers were skipped or out of order; `nil` without
  /// `RowsConfiguration.audits`.
  public let sequenceGaps: Int?
  /// The number of live snapshots: those in waiting notifications and those that observers keep.
  ///
  /// It is `nil` without `RowsConfiguration.audits`.
  public let liveSnapshots: Int?
  /// The number of live objects that the model notifies: its observer, and the objects that were passed to
  /// `RowsViewModel.observe(whileAlive:_:)`.
  public let liveObservers: Int
  /// The number of running worker threads.
  public let liveThreads: Int
  /// How long edits held the lock; `nil` without `RowsConfiguration.measuresLockHolds`.
  public let lockHolds: LockHolds?
}

/// The counters of a `RowsViewModel`, with a check whether they are consistent with its rows.
public struct RowsAudit: Sendable {
  /// The counters.
  public let statistics: RowsStatistics
  /// The number of rows with which the current generation began (see `RowsViewModel`).
  public let initialRows: Int
  /// The current number of rows.
  public let rows: Int
  /// The fingerprint of the model's rows (see `RowsSnapshot.fingerprint`).
  public let fingerprint: UInt64
  /// The fingerprint of a `RowsMirror` that applied all notifications; `nil` without
  /// `RowsConfiguration.audits`.
  public let mirrorFingerprint: UInt64?

  /// The inconsistencies as sentences; empty if there are none.
  ///
  /// The mirror (see `RowsMirror`) lacks the edits that wait for the main actor. So its fingerprint is
  /// compared with that of the rows only if no edit waits.
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
