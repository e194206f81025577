package import Commands

extension Audit {
  /// For a person: lines of text, the verdict last.
  package var text: String {
    var lines = [
      "",
      "Audit  \(strategy), seed \(seed), \(Figures.seconds(elapsed)) s"
        + (bug == "none" ? "" : ", bug \(bug)"),
    ]
    for generation in generations {
      lines.append(
        "        generation \(generation.number), \(generation.workers) workers: posted \(generation.posted),"
          + " delivered \(generation.delivered), dropped \(generation.dropped)")
    }
    lines += checks.map { ($0.holds ? "  ok    " : "  WRONG ") + $0.text }
    lines.append("        queue at most \(mostQueued)")
    if let lockHolds {
      lines.append(
        "        lock held \(lockHolds.count) times: p50 \(Self.time(lockHolds.median)),"
          + " p99 \(Self.time(lockHolds.percentile99)), longest \(Self.time(lockHolds.longest))")
    }
    let wrong = checks.filter { !$0.holds }.count
    lines.append(
      wrong == 0
        ? "The audit is clean." : "The audit is not clean: \(wrong) of \(checks.count) checks are wrong.")
    return lines.joined(separator: "\n")
  }

  /// For a program.
  package var document: JSONValue {
    [
      "schema": 1,
      "clean": .bool(isClean),
      // 64 bits are more than the numbers of many JSON readers have.
      "seed": .string(String(seed)),
      "strategy": .string(strategy),
      "bug": .string(bug),
      "seconds": .number(elapsed / .seconds(1)),
      "generations": .array(
        generations.map {
          [
            "number": .integer($0.number), "workers": .integer($0.workers), "posted": .integer($0.posted),
            "delivered": .integer($0.delivered), "dropped": .integer($0.dropped),
          ]
        }),
      "rows": [
        "atFirst": .integer(initialRows), "inserted": .integer(inserted), "removed": .integer(removed),
        "modified": .integer(modified), "model": Self.document(model), "mirror": Self.document(mirror),
        "recorded": recorded.map(Self.document) ?? .null,
      ],
      "violations": .integer(violations),
      "sequenceGaps": .integer(sequenceGaps),
      "mostQueued": .integer(mostQueued),
      "remains": [
        "snapshots": .integer(remains.snapshots), "observers": .integer(remains.observers),
        "threads": .integer(remains.threads),
      ],
      "lockHoldNanoseconds": lockHolds.map {
        [
          "count": .integer($0.count), "p50": .integer($0.median), "p99": .integer($0.percentile99),
          "longest": .integer($0.longest),
        ]
      } ?? .null,
      "checks": .array(
        checks.map { ["name": .string($0.name), "holds": .bool($0.holds), "text": .string($0.text)] }),
    ]
  }

  private static func document(_ rows: Rows) -> JSONValue {
    ["count": .integer(rows.count), "fingerprint": .string(Recording.hexadecimal(rows.fingerprint))]
  }

  /// A time in the unit that suits it.
  private static func time(_ nanoseconds: Int) -> String {
    func tenths(_ unit: Int) -> String { "\(nanoseconds / unit).\(nanoseconds % unit * 10 / unit)" }
    return switch nanoseconds {
    case ..<1_000: "\(nanoseconds) ns"
    case ..<1_000_000: "\(tenths(1_000)) µs"
    default: "\(tenths(1_000_000)) ms"
    }
  }
}
