/// Why the check fails.
struct Problem: Error, CustomStringConvertible {
  let place: String
  let text: String

  init(_ place: String, _ text: String) {
    self.place = place
    self.text = text
  }

  var description: String { "\(place): \(text)" }

  /// What has changed, line by line; nothing where nothing has.
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
