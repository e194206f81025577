/// A reason why the check fails, with the place of the problem.
struct Problem: Error, CustomStringConvertible {
  let place: String
  let text: String

  init(_ place: String, _ text: String) {
    self.place = place
    self.text = text
  }

  var description: String { "\(place): \(text)" }

  /// Lists the lines that only `expected` has, after "-", and those that only `found` has, after "+".
  static func difference(from expected: [String], to found: [String]) -> String {
    found.difference(from: expected)
      .map { change in
        switch change {
        case .remove(_, let line, _): "  - \(line)"
        case .insert(_, let line, _): "  + \(line)"
        }
      }
      .joined(separator: "\n")
  }
}
