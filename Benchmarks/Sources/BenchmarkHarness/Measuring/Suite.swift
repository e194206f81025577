/// A benchmark suite: the contests that answer one question.
package struct Suite: Sendable {
  /// The introduction of a suite in a report.
  package struct Heading: Sendable, Equatable, Codable {
    package let name: String
    /// A phrase that says what the suite measures.
    package let about: String
    /// How to read the figures, in a few sentences; empty if they need no explanation.
    package let reading: String
  }

  package let heading: Heading
  package var contests: [Contest]

  package var name: String { heading.name }

  package init(name: String, about: String, reading: String = "", contests: [Contest]) {
    heading = Heading(name: name, about: about, reading: reading)
    self.contests = contests
  }

  /// A copy of the suite without the contests that need more effort than `effort`, and with only the
  /// contestants whose path "suite/group/contest/contestant" contains one of `texts`.
  ///
  /// The comparison ignores case. Without texts, all contestants are selected.
  package func selected(by texts: [String], effort: Effort) -> Suite {
    let texts = texts.map { $0.lowercased() }
    var suite = self
    suite.contests.removeAll { $0.leastEffort > effort }
    for (index, contest) in suite.contests.enumerated() where !texts.isEmpty {
      suite.contests[index].contestants.removeAll { contestant in
        let path = path(of: contestant, in: contest).lowercased()
        return !texts.contains(where: path.contains)
      }
    }
    suite.contests.removeAll { $0.contestants.isEmpty }
    return suite
  }

  /// The paths of all contestants.
  package var paths: [String] {
    contests.flatMap { contest in contest.contestants.map { path(of: $0, in: contest) } }
  }

  private func path(of contestant: Contestant, in contest: Contest) -> String {
    "\(name)/\(contest.group)/\(contest.title)/\(contestant.name)"
  }
}
