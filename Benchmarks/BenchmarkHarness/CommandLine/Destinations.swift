internal import Commands

/// The files that a report is written to, and the earlier report for a comparison.
///
/// The initialiser opens the JSON and HTML files, and creates the directory for the charts. It must be called
/// before the measurements, so that a wrong path does not cost minutes of measuring.
struct Destinations: ~Copyable {
  private var json: OutputFile?
  private var html: OutputFile?
  private let directory: String?
  /// The earlier report to compare with; `nil` for none.
  let earlier: Report?

  init(_ options: Options) throws(FileFailure) {
    // The earlier report is read before any file is written, because the new report may go to the same file.
    var earlier: Report?
    if let path = options.earlier {
      earlier = try Report(file: path)
    }
    if let directory = options.svg {
      try OutputFile.createDirectory(directory)
    }
    let json = try Self.open(options.json)
    let html = try Self.open(options.html)
    self.earlier = earlier
    directory = options.svg
    self.json = json
    self.html = html
  }

  private static func open(_ path: String?) throws(FileFailure) -> OutputFile? {
    guard let path else { return nil }
    return try OutputFile(path: path)
  }

  /// Writes a report to its files; must be called only once.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - isPart: Whether the report is incomplete, because the run was interrupted. An incomplete report does
  ///     not replace the contents of a file.
  /// - Returns: The paths of the files that keep their earlier contents; empty if the report is complete.
  mutating func write(_ report: Report, isPart: Bool) throws(FileFailure) -> [String] {
    var kept: [String] = []
    func write(_ text: String, to file: consuming OutputFile) throws(FileFailure) {
      if isPart, !file.isEmpty { kept.append(file.path) } else { try file.write(text) }
    }
    if let file = json.take() {
      try write(try report.json, to: file)
    }
    if directory == nil, html == nil { return kept }
    let charts = ChartBook(report).charts
    if let directory {
      for chart in charts {
        try write(chart.document, to: OutputFile(path: "\(directory)/\(chart.name).svg"))
      }
    }
    if let file = html.take() {
      try write(HTMLPage(report, charts: charts).text, to: file)
    }
    return kept
  }
}
