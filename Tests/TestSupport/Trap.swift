extension [UInt8] {
  /// The message after `Interlock: ` in this standard error of a process; `nil` if no line begins like that.
  package var trap: String? {
    let lines = String(decoding: self, as: UTF8.self).split(whereSeparator: \.isNewline)
    let beginning = "Interlock: "
    return lines.first { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
  }
}
