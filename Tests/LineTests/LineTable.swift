#if Exploration && ShippedLayout
  import Exploration
  import Foundation
  import Protectors
  import Testing

  /// The recorded costs of all scenarios, `lines.txt`.
  enum LineTable {
    static let isUpdated = ProcessInfo.processInfo.environment["INTERLOCK_LINES"] == "update"
    static let recorded = ExclusiveProtector(rows(of: (try? String(contentsOf: file, encoding: .utf8)) ?? ""))

    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "lines.txt")
    private static let head = """
      # Lines that travel in each call of a steady state, with 2, 8 and 64 processors; INTERLOCK_LINES=update .ci/lines
      # writes this anew. `a + b`: transfers, which a call waits for, and invalidations, on average; in parentheses the
      # most in one call, where that is more; `wakes n`: the most wake-ups; `free`: no line that one wrote and another used.

      """

    /// Compares the row `name` with the costs, or writes it anew.
    static func check(_ name: String, _ costs: [CallCosts]) throws {
      let row = costs.map(cell).joined(separator: " | ")
      if !isUpdated {
        #expect(row == recorded.value[name], "\(name)")
        return
      }
      try recorded.withLock { rows throws in
        rows[name] = row
        let lines = Scenario.all.flatMap(\.rowNames).compactMap { name in
          rows[name].map { "\(name) | \($0)\n" }
        }
        try (head + lines.joined()).write(to: file, atomically: true, encoding: .utf8)
      }
    }

    private static func rows(of text: String) -> [String: String] {
      var rows: [String: String] = [:]
      for line in text.split(separator: "\n") where !line.hasPrefix("#") {
        guard let end = line.range(of: " | ") else { continue }
        rows[String(line[..<end.lowerBound])] = String(line[end.upperBound...])
      }
      return rows
    }

    private static func cell(_ costs: CallCosts) -> String {
      func mean(_ count: KeyPath<CallCosts.Call, Int>) -> String {
        let hundredths = 100 * costs.total(count) / costs.calls.count
        if hundredths.isMultiple(of: 100) { return "\(hundredths / 100)" }
        let digits = hundredths % 100
        return "\(hundredths / 100).\(digits < 10 ? "0" : "")\(digits)"
      }
      let (transfers, invalidations) = (costs.most(\.transfers), costs.most(\.invalidations))
      var cell = "\(mean(\.transfers)) + \(mean(\.invalidations))"
      if transfers * costs.calls.count != costs.total(\.transfers)
        || invalidations * costs.calls.count != costs.total(\.invalidations)
      {
        cell += " (\(transfers) + \(invalidations))"
      }
      if costs.most(\.wakeUps) > 0 { cell += " wakes \(costs.most(\.wakeUps))" }
      if costs.isConflictFree { cell += " free" }
      return cell
    }
  }

  @Suite struct LineTableTests {
    @Test(.disabled(if: LineTable.isUpdated, "the other tests write the table"))
    func theTableHasTheRowsOfAllScenariosAndNoOthers() {
      let names = Scenario.all.flatMap(\.rowNames)
      #expect(Set(names).count == names.count, "two scenarios have one name")
      #expect(Set(names).symmetricDifference(LineTable.recorded.value.keys).sorted() == [])
    }
  }
#endif
