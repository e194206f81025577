internal import CContention
internal import LockSupport

/// Begins to record a profile of contention before `main` runs.
///
/// The process writes the report when it exits.
///
/// `CContention` calls this function if the environment variable `INTERLOCK_CONTENTION` is set.
@c
@usableFromInline
func interlock_contention_begin_at_launch() {
  contention_call_at_exit { ReportAtExit.write() }
  ContentionProfile.start()
}

enum ReportAtExit {
  /// Returns `path` with the process ID in the place of each `%p`.
  static func processPath(_ path: String) -> String {
    var result = ""
    var rest = path[...]
    while let sign = rest.firstIndex(of: "%") {
      result += rest[..<sign]
      rest = rest[sign...].dropFirst()
      let isProcess = rest.first == "p"
      if isProcess { rest = rest.dropFirst() }
      result += isProcess ? "\(contention_process())" : "%"
    }
    return result + rest
  }

  static func write() {
    // Sound: the pointer is into the environment, and the text is copied at once.
    guard let value = unsafe contention_path() else { return }
    let path = processPath(unsafe String(cString: value))
    ContentionProfile.stop()
    var text = ContentionProfile.report().formatted(forFileAt: path)
    let size = text.utf8.count
    let error = text.withUTF8 { bytes in
      // Sound: the C function uses the bytes only during the call.
      unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe contention_write(path, $0.baseAddress!, size) }
    }
    if error != 0 {
      let line = "interlock: the report on contention could not be written to \(path) (error \(error))\n"
      _ = unsafe contention_write("-", line, line.utf8.count)
    }
  }
}

extension ContentionReport {
  /// The report in the format that the suffix of `path` selects.
  func formatted(forFileAt path: String) -> String {
    if path.hasSuffix(".json") { return json }
    if path.hasSuffix(".html") { return html }
    if path.hasSuffix(".folded") { return collapsedStacks }
    return text
  }
}
