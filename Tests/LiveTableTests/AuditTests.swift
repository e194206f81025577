internal import Commands
internal import Foundation
@testable import LiveTables
internal import Testing

@Suite("Audit")
struct AuditTests {
  /// An audit without errors.
  private var clean: Audit {
    Audit(
      seed: .max, strategy: "tree", bug: "none", elapsed: .milliseconds(1_250),
      generations: [
        .init(number: 1, workers: 8, posted: 10, delivered: 7, dropped: 3),
        .init(number: 2, workers: 1, posted: 5, delivered: 5, dropped: 0),
      ],
      initialRows: 4, inserted: 3, removed: 1, modified: 1, model: .init(count: 6, fingerprint: 0xAB),
      mirror: .init(count: 6, fingerprint: 0xAB), recorded: .init(count: 6, fingerprint: 0xAB),
      sequenceGaps: 0, violations: 0, mostQueued: 2, remains: .init(),
      lockHolds: .init(count: 15, median: 950, percentile99: 1_250, longest: 12_340_000))
  }

  @Test("An account that fits together is clean, also without a lock or a record")
  func cleanAudit() {
    #expect(clean.isClean)
    var audit = clean
    audit.recorded = nil
    audit.lockHolds = nil
    #expect(audit.isClean)
  }

  /// Changes that make an `Audit` inconsistent, each with the name of the check that must fail.
  private static let mistakes: [(check: String, make: @Sendable (inout Audit) -> Void)] = [
    ("editsAccountedFor", { $0.generations[0].posted += 1 }),
    // A generation is the part of a run between two restarts of the rows. This mistake takes an edit from one
    // generation and adds it to another, so only the sum of their counts is right.
    (
      "editsAccountedFor",
      {
        $0.generations[0].delivered -= 1; $0.generations[1].delivered += 1
      }
    ),
    ("rowsAccountedFor", { $0.inserted += 1 }),
    ("rowsAccountedFor", { $0.removed += 1 }),
    ("rowsAccountedFor", { $0.initialRows += 1 }),
    ("mirrorEqualsModel", { $0.mirror.fingerprint += 1 }),
    ("mirrorEqualsModel", { $0.mirror.count += 1 }),
    ("recordedRows", { $0.recorded?.fingerprint += 1 }),
    ("noViolations", { $0.violations = 1 }),
    ("noSequenceGaps", { $0.sequenceGaps = 1 }),
    ("nothingRemains", { $0.remains.snapshots = 1 }),
    ("nothingRemains", { $0.remains.observers = 1 }),
    ("nothingRemains", { $0.remains.threads = 1 }),
  ]

  @Test("Each thing that is wrong is found by one check", arguments: mistakes.indices)
  func findsMistake(index: Int) {
    let (check, make) = Self.mistakes[index]
    var audit = clean
    make(&audit)
    #expect(audit.checks.filter { !$0.holds }.map(\.name) == [check])
    #expect(!audit.isClean)
    #expect(audit.text.contains("  WRONG "))
    #expect(audit.text.hasSuffix("The audit is not clean: 1 of 7 checks are wrong."))
  }

  @Test("The text has the account of each generation, the checks, the lock and the verdict")
  func text() {
    #expect(
      clean.text == """

        Audit  tree, seed 18446744073709551615, 1.2 s
                generation 1, 8 workers: posted 10, delivered 7, dropped 3
                generation 2, 1 workers: posted 5, delivered 5, dropped 0
          ok    edits posted 15 = delivered 12 + dropped 3, in each generation
          ok    rows 6 = 4 at first + 3 inserted - 1 removed
          ok    the table's rows 6 #00000000000000ab = the model's 6 #00000000000000ab
          ok    the record's rows 6 #00000000000000ab = the model's 6 #00000000000000ab
          ok    violations of the table rule 0
          ok    gaps in the order of the edits 0
          ok    left over: snapshots 0, observers 0, threads 0
                queue at most 2
                lock held 15 times: p50 950 ns, p99 1.2 µs, longest 12.3 ms
        The audit is clean.
        """)
  }

  @Test("The document says the same to a program")
  func document() throws {
    var audit = clean
    audit.violations = 2
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(JSON.text(audit).utf8)) as? [String: Any])
    #expect(document["clean"] as? Bool == false)
    #expect(document["seed"] as? String == "18446744073709551615")
    #expect(document["violations"] as? Int == 2)
    let generations = try #require(document["generations"] as? [[String: Any]])
    #expect(generations.map { $0["dropped"] as? Int } == [3, 0])
    let rows = try #require(document["rows"] as? [String: Any])
    #expect((rows["model"] as? [String: Any])?["fingerprint"] as? String == "00000000000000ab")
    let checks = try #require(document["checks"] as? [[String: Any]])
    #expect(checks.filter { $0["holds"] as? Bool == false }.map { $0["name"] as? String } == ["noViolations"])
    #expect((document["lockHoldNanoseconds"] as? [String: Any])?["p99"] as? Int == 1_250)
    audit.lockHolds = nil
    #expect(try JSON.text(audit).contains("\"lockHoldNanoseconds\" : null"))
  }
}
