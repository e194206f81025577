/// Selects the contestants to measure.
package struct Filter: Sendable, Equatable {
  /// The texts, at least one of which must occur; if empty, everything is selected.
  package var texts: [String] = []

  package init(_ texts: [String] = []) {
    self.texts = texts
  }

  /// Whether to measure the contestant with a path "suite/group/contest/contestant".
  ///
  /// Case does not matter.
  package func admits(_ path: String) -> Bool {
    let path = path.lowercased()
    return texts.isEmpty || texts.contains { path.contains($0.lowercased()) }
  }
}
