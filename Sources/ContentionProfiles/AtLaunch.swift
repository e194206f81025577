internal import CContention
internal import InterlockCore

/// Starts a contention profile before `main` runs.
///
/// The process writes its report to the path in `INTERLOCK_CONTENTION` when it exits, and on the signals that
/// `ContentionProfile` lists. `CContention` calls this function at launch if that environment variable is
/// set.
@c
@usableFromInline
func interlock_contention_begin_at_launch() {
  contention_call_at_exit {
    ContentionProfile.stop()
    ReportFile.writeForEnvironment()
  }
  contention_call_on_signals { ReportFile.writeForEnvironment() }
  ContentionProfile.start()
}

enum ReportFile {
  /// Returns `path` with each `%p` replaced by the process ID.
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

  /// Writes the report to the path in `INTERLOCK_CONTENTION`; does nothing if the variable is not set.
  ///
  /// Prints an error message to standard error if the file can't be written.
  static func writeForEnvironment() {
    // Sound: both C strings belong to the environment, and stay valid until the program changes the
    // variables. They are copied before the report is made.
    guard let path = unsafe contention_path() else { return }
    let modules = unsafe contention_hidden_modules().map { unsafe String(cString: $0) } ?? ""
    do throws(ContentionProfile.WriteError) {
      try ContentionProfile.writeReport(
        to: unsafe String(cString: path), hiding: Set(modules.split(separator: ",").map(String.init)))
    } catch {
      let line =
        "interlock: the report on contention could not be written to \(error.path) (error \(error.code))\n"
      _ = unsafe contention_write("-", line, line.utf8.count)
    }
  }

  /// Writes a report to the file at `path`, in the format that the path's suffix selects.
  ///
  /// - Returns: 0 if the file was written, or else a value of `errno`.
  static func write(_ report: ContentionReport, to path: String) -> Int32 {
    let bytes = report.formatted(forFileAt: path)
    return unsafe bytes.withUnsafeBytes { bytes in
      // Sound: `CChar` has the layout of `UInt8`, and `contention_write` does not keep the pointer after the
      // call.
      unsafe bytes.withMemoryRebound(to: CChar.self) {
        unsafe contention_write(path, $0.baseAddress, $0.count)
      }
    }
  }
}

extension ContentionReport {
  /// The report in the format that the suffix of `path` selects; text for an unknown suffix.
  func formatted(forFileAt path: String) -> [UInt8] {
    path.hasSuffix(".pprof") ? pprof : Array(text().utf8)
  }
}
