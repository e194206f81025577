/// Selects the contestants to measure.
package struct Filter: Sendable, Equatable {
  /// The texts to look for in the path of a measured implementation: "suite/group/contest/contestant".
  ///
  /// The parts of a path are the names in `Suite`, `Contest` and `Contestant`. A path is selected if at least
  /// one of the texts occurs in it, or if there are no texts.
  package var texts: [String] = []

  package init(_ texts: [String] = []) {
    self.texts = texts
  }

  /// Whether to measure the implementation with a path "suite/group/contest/contestant".
  ///
  /// The comparison with the texts ignores case.
  package func admits(_ path: String) -> Bool {
    let path = path.lowercased()
    return texts.isEmpty || texts.contains { path.contains($0.lowercased()) }
  }
}
