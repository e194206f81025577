/// A benchmark suite: the contests (comparisons of implementations, see `Contest`) that answer one question.
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

  /// A copy of the suite that has only the implementations selected by `filter`; contests without any of them
  /// are left out.
  package func filtered(by filter: Filter) -> Suite {
    var suite = self
    for index in suite.contests.indices {
      let contest = suite.contests[index]
      suite.contests[index].contestants.removeAll { contestant in
        !filter.admits(path(of: contestant.name, in: contest))
      }
    }
    suite.contests.removeAll { $0.contestants.isEmpty }
    return suite
  }

  /// The suite without the contests that need more effort than `effort`.
  package func limited(to effort: Options.Effort) -> Suite {
    var suite = self
    suite.contests.removeAll { $0.leastEffort > effort }
    return suite
  }

  /// The paths of all contestants.
  package var paths: [String] {
    contests.flatMap { contest in contest.contestants.map { path(of: $0.name, in: contest) } }
  }

  private func path(of contestant: String, in contest: Contest) -> String {
    "\(name)/\(contest.group)/\(contest.title)/\(contestant)"
  }
}
