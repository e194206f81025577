internal import Commands

/// Where a report goes besides the terminal, and what it is compared with.
///
/// Opened before the measuring, so that minutes are not lost to a path that can't be written or read.
struct Destinations: ~Copyable {
  private var json: OutputFile?
  private var html: OutputFile?
  private let directory: String?
  /// The report to compare with.
  let earlier: Report?

  init(_ options: Options) throws(FileFailure) {
    // Read first: it may be the file that is written in the end.
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

  mutating func write(_ report: Report) throws(FileFailure) {
    if let file = json.take() {
      try file.write(report.json)
    }
    if directory == nil, html == nil { return }
    let charts = ChartBook(report).charts
    if let directory {
      for chart in charts {
        try OutputFile(path: "\(directory)/\(chart.name).svg").write(chart.document)
      }
    }
    if let file = html.take() {
      try file.write(HTMLPage(report, charts: charts).text)
    }
  }
}
