internal import Commands

extension Report {
  /// Reads the JSON file that `--json` wrote.
  init(file path: String) throws(FileFailure) {
    let text = try InputFile.text(path: path)
    do {
      self = try Report(document: try JSONParser.value(of: text))
    } catch {
      throw FileFailure("\(path) is no report: \(error)")
    }
  }
}
