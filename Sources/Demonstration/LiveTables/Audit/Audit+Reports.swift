internal import Commands

extension Audit {
  /// The audit as lines of text, the verdict last.
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

  /// A time in a suitable unit.
  private static func time(_ nanoseconds: Int) -> String {
    func tenths(_ unit: Int) -> String { "\(nanoseconds / unit).\(nanoseconds % unit * 10 / unit)" }
    return switch nanoseconds {
    case ..<1_000: "\(nanoseconds) ns"
    case ..<1_000_000: "\(tenths(1_000)) µs"
    default: "\(tenths(1_000_000)) ms"
    }
  }
}

extension Audit: Encodable {
  package func encode(to encoder: any Encoder) throws {
    let document: JSONObject = [
      "schema": 1, "clean": isClean,
      // The seed is text, because some programs read 64-bit numbers inexactly.
      "seed": String(seed),
      "strategy": strategy, "bug": bug, "seconds": elapsed / .seconds(1), "generations": generations,
      "rows": [
        "atFirst": initialRows, "inserted": inserted, "removed": removed, "modified": modified,
        "model": model, "mirror": mirror, "recorded": recorded,
      ] as JSONObject,
      "violations": violations, "sequenceGaps": sequenceGaps, "mostQueued": mostQueued, "remains": remains,
      "refusedEdits": refusedEdits,
      "lockHoldNanoseconds": lockHolds, "checks": checks,
    ]
    try document.encode(to: encoder)
  }
}

extension Audit.Rows: Encodable {
  package func encode(to encoder: any Encoder) throws {
    let document: JSONObject = ["count": count, "fingerprint": Recording.hexadecimal(fingerprint)]
    try document.encode(to: encoder)
  }
}
