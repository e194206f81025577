/// Selects the contestants to measure.
package struct Filter: Sendable, Equatable {
  /// The texts to look for in a contestant's path "suite/group/contest/contestant".
  ///
  /// A path is selected if at least one of the texts occurs in it, or if there are no texts.
  package var texts: [String] = []

  package init(_ texts: [String] = []) {
    self.texts = texts
  }

  /// Whether to measure the contestant with a path "suite/group/contest/contestant".
  ///
  /// The comparison with the texts ignores case.
  package func admits(_ path: String) -> Bool {
    let path = path.lowercased()
    return texts.isEmpty || texts.contains { path.contains($0.lowercased()) }
  }
}
