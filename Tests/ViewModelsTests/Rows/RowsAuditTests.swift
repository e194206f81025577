import Testing

@testable import ViewModels

@Suite struct RowsAuditTests {
  /// Consistent figures of an audit; tests change some of them, and check the complaints of the audit.
  private struct Figures: Sendable {
    var posted = RowCounts(inserted: 5, removed: 2, modified: 1)
    var inGeneration = RowCounts(inserted: 3, removed: 1, modified: 1)
    var (delivered, unobserved, dropped, queued, commands) = (4, 1, 2, 3, 2)
    var (violations, gaps): (Int?, Int?) = (0, 0)
    var (initialRows, rows) = (2, 4)
    var (fingerprint, mirror): (UInt64, UInt64?) = (7, 7)

    var complaints: [String] {
      let statistics = RowsStatistics(
        strategy: .tree, generation: 1, posted: posted, postedInGeneration: inGeneration,
        delivered: delivered, unobserved: unobserved, droppedByGeneration: dropped, queued: queued,
        queuedCommands: commands, mostQueued: 0, drains: 0, mostPerDrain: 0, composedBatches: 0,
        violations: violations, sequenceGaps: gaps, liveSnapshots: nil, liveObservers: 0, liveThreads: 0,
        lockHolds: nil)
      return RowsAudit(
        statistics: statistics, initialRows: initialRows, rows: rows, fingerprint: fingerprint,
        mirrorFingerprint: mirror
      ).complaints
    }
  }

  private static let soundFigures: [@Sendable (inout Figures) -> Void] = [
    { _ in },
    { $0.violations = nil },
    { $0.gaps = nil },
    { $0.mirror = nil },
    // The mirror lacks the edits that wait.
    { $0.mirror = 8 },
    // All edits that wait are commands. Neither the rows nor the mirror contain them yet.
    { ($0.queued, $0.delivered) = (2, 5) },
  ]

  @Test("figures that fit together have no complaint", arguments: soundFigures.indices)
  func sound(index: Int) {
    var figures = Figures()
    Self.soundFigures[index](&figures)
    #expect(figures.complaints == [])
  }

  private static let wrongFigures: [(complaint: String, make: @Sendable (inout Figures) -> Void)] = [
    ("edits", { $0.posted.modified += 1 }),
    ("edits", { $0.delivered += 1 }),
    ("edits", { $0.unobserved -= 1 }),
    ("edits", { $0.dropped += 1 }),
    ("edits", { $0.queued += 1 }),
    ("edits", { $0.commands -= 1 }),
    ("rows, but", { $0.rows += 1 }),
    ("rows, but", { $0.initialRows += 1 }),
    ("rows, but", { $0.inGeneration.removed += 1 }),
    ("the mirror has other rows", { ($0.queued, $0.delivered, $0.mirror) = (2, 5, 8) }),
    ("the table rule was broken 1 times", { $0.violations = 1 }),
    ("2 gaps", { $0.gaps = 2 }),
  ]

  @Test("each figure that does not fit has one complaint", arguments: wrongFigures.indices)
  func mistakes(index: Int) {
    var figures = Figures()
    let (complaint, make) = Self.wrongFigures[index]
    make(&figures)
    #expect(figures.complaints.count == 1)
    #expect(figures.complaints.first?.contains(complaint) == true, "\(figures.complaints)")
  }
}
