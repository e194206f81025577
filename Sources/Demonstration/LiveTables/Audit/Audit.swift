/// The results of a run: the edits that were made and delivered, and checks of their consistency.
///
/// A run consists of generations: each restart puts back the initial rows and begins another generation.
package struct Audit: Sendable, Equatable {
  /// The edits of a generation.
  package struct Generation: Sendable, Equatable, Encodable {
    package var number: Int
    package var workers: Int
    /// The number of edits that were made.
    package var posted: Int
    /// The number of edits that the table was notified of.
    package var delivered: Int
    /// The number of edits that a restart dropped before the table was notified of them.
    package var dropped: Int
  }

  /// Statistics of the times that threads held the model's lock; the times are in nanoseconds.
  package struct LockHolds: Sendable, Equatable, Encodable {
    package var count: Int
    package var median: Int
    package var percentile99: Int
    package var longest: Int

    private enum CodingKeys: String, CodingKey {
      case count, longest
      case median = "p50"
      case percentile99 = "p99"
    }
  }

  /// The count and the fingerprint of a list of rows, with which two lists are compared.
  package struct Rows: Sendable, Equatable {
    package var count: Int
    package var fingerprint: UInt64
  }

  /// The numbers of objects that are still alive after the run; each must be 0.
  package struct Remains: Sendable, Equatable, Encodable {
    package var snapshots = 0
    package var observers = 0
    package var threads = 0
  }

  package var seed: UInt64
  package var strategy: String
  package var bug: String
  package var elapsed: Duration
  /// The counts of each generation: one element for each restart of the rows and the workers.
  ///
  /// The checks compare only the rows of the last generation.
  package var generations: [Generation]
  /// The number of rows after each restart, before the first edit.
  package var initialRows: Int
  /// The number of insertions since the last restart; `removed` and `modified` count the other edits.
  package var inserted: Int
  package var removed: Int
  package var modified: Int
  /// The model's rows at the end of the run.
  package var model: Rows
  /// The rows that the table shows at the end of the run.
  ///
  /// The table has computed them from the notifications that it received.
  package var mirror: Rows
  /// The rows at the end of the recorded run that was replayed; `nil` if this run is no replay.
  package var recorded: Rows?
  package var sequenceGaps: Int
  package var violations: Int
  package var mostQueued: Int
  package var remains: Remains
  /// The number of mistakes of the core; `nil` if the model owns the rows.
  ///
  /// Mistakes are edits of the core that the model refuses, and calls of its functions that fail.
  package var refusedEdits: Int?
  /// The hold times of the model's lock; `nil` if there is no lock, or no hold time was measured.
  package var lockHolds: LockHolds?

  /// A condition that must hold, and whether it does.
  package struct Check: Sendable, Equatable, Encodable {
    /// The name in the JSON output.
    package var name: String
    package var holds: Bool
    /// A sentence that states the condition with its figures.
    package var text: String
  }

  /// All conditions that must hold, with their results.
  package var checks: [Check] {
    var checks: [Check] = []
    func check(_ name: String, _ holds: Bool, _ text: String) {
      checks.append(Check(name: name, holds: holds, text: text))
    }
    let posted = generations.reduce(0) { $0 + $1.posted }
    let delivered = generations.reduce(0) { $0 + $1.delivered }
    let dropped = generations.reduce(0) { $0 + $1.dropped }
    check(
      "editsAccountedFor", generations.allSatisfy { $0.posted == $0.delivered + $0.dropped },
      "edits posted \(posted) = delivered \(delivered) + dropped \(dropped), in each generation")
    check(
      "rowsAccountedFor", model.count == initialRows + inserted - removed,
      "rows \(model.count) = \(initialRows) at first + \(inserted) inserted - \(removed) removed")
    check(
      "mirrorEqualsModel", mirror == model,
      "the table's rows \(Self.text(mirror)) = the model's \(Self.text(model))")
    if let recorded {
      check(
        "recordedRows", recorded == model,
        "the record's rows \(Self.text(recorded)) = the model's \(Self.text(model))")
    }
    check("noViolations", violations == 0, "violations of the table rule \(violations)")
    check("noSequenceGaps", sequenceGaps == 0, "gaps in the order of the edits \(sequenceGaps)")
    if let refusedEdits {
      check("noRefusedEdits", refusedEdits == 0, "edits of the core that were refused \(refusedEdits)")
    }
    check(
      "nothingRemains", remains == Remains(),
      "left over: snapshots \(remains.snapshots), observers \(remains.observers), threads \(remains.threads)")
    return checks
  }

  /// Whether all conditions hold.
  package var isClean: Bool { checks.allSatisfy(\.holds) }

  private static func text(_ rows: Rows) -> String {
    "\(rows.count) #\(Recording.hexadecimal(rows.fingerprint))"
  }
}
