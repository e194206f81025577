/// Which contestants are measured.
package struct Filter: Sendable, Equatable {
  /// Texts of which one has to occur; with none, everything is admitted.
  package var texts: [String] = []

  package init(_ texts: [String] = []) {
    self.texts = texts
  }

  /// Whether a path "suite/group/contest/contestant" is measured.
  ///
  /// Capital and small letters are the same.
  package func admits(_ path: String) -> Bool {
    let path = path.lowercased()
    return texts.isEmpty || texts.contains { path.contains($0.lowercased()) }
  }
}
