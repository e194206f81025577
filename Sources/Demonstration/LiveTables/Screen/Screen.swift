internal import ViewModels

/// Lays out the screen: computes lines of text from the state.
package enum Screen {
  private static let headLines = 3
  private static let formLines = 4
  private static let helpLines = 1

  /// The number of table rows that fit on a terminal of this size; 0 if it has too few lines for any.
  ///
  /// - Parameter moreLines: The number of lines in `ScreenState.contention`.
  package static func rowCapacity(of size: Size, moreLines: Int = 0) -> Int {
    max(0, size.rows - headLines - moreLines - formLines - helpLines)
  }

  /// The frame for a state, with a line for each row of the terminal.
  package static func frame(_ state: ScreenState, size: Size) -> Frame {
    var lines = head(state, width: size.columns) + state.contention.map { Line($0) }
    let capacity = rowCapacity(of: size, moreLines: state.contention.count)
    lines += state.table.rows.prefix(capacity).enumerated().map { offset, row in
      line(of: row, number: state.table.start + offset, digits: digits(state.table.count))
    }
    lines += Array(
      repeating: Line(), count: max(0, headLines + state.contention.count + capacity - lines.count))
    lines += form(state.player, width: size.columns)
    lines.append(
      state.isEnding ? Line(" \(ending)", .bold) : state.prompt.map { question($0, state.found) } ?? help)
    return Frame(lines, size: size)
  }

  // MARK: Head

  private static func head(_ state: ScreenState, width: Int) -> [Line] {
    let figures = state.figures
    let workers = figures.workers == 1 ? "1 worker" : "\(figures.workers) workers"
    let title =
      " livetable  \(workers)  \(figures.strategy)  generation \(figures.generation)"
      + "  \(Figures.seconds(figures.elapsed)) s"

    var edits = Line(" \(figures.edits) edits  ")
    edits.append("+\(figures.inserted)", Style(color: .green))
    edits.append(" inserted  ")
    edits.append("-\(figures.removed)", Style(color: .red))
    edits.append(" removed  ")
    edits.append("~\(figures.modified)", Style(color: .yellow))
    edits.append(" modified")
    edits.append("  \(figures.editsPerSecond) a second")

    var place = Line(state.table.count == 0 ? " no rows" : Self.place(of: state.table))
    if let shelved = figures.shelved, shelved > 0 { place.append(", \(shelved) on the shelf") }
    place.append("  queue \(figures.queued) max \(figures.longestQueue)  ")
    place.append(
      "violations \(figures.violations)",
      figures.violations == 0 ? .plain : Style(color: .red, isBold: true))
    return [Line(padded(title, to: width), .reversed), edits, place]
  }

  private static func place(of table: ScreenState.Window) -> String {
    let end = table.start + table.rows.count
    return " rows \(table.start + 1) to \(end) of \(table.count)\(table.follows ? ", following" : "")"
  }

  // MARK: Rows

  private static func line(of row: ScreenState.Window.Row, number: Int, digits: Int) -> Line {
    let number = String(number + 1)
    var line = Line(String(repeating: " ", count: max(0, digits - number.count)) + number + " ", .dim)
    switch row.mark {
    case nil:
      line.append("  \(row.text)")
    case .inserted:
      line.append("+ \(row.text)", Style(color: .green, isBold: row.isLatest))
    case .modified:
      line.append("~ \(row.text)", Style(color: .yellow, isBold: row.isLatest))
    }
    if row.isLatest { line.append(" <", .bold) }
    return line
  }

  private static func digits(_ count: Int) -> Int { String(count).count }

  // MARK: Form

  private static func form(_ player: PlayerState, width: Int) -> [Line] {
    var name = Line(" Name    ")
    name.append(
      player.name.isEmpty ? "(none)" : player.name, player.isNameEnabled ? .bold : .dim)
    name.append(player.isNameEnabled ? "  n to change it" : "  done")

    var points = Line(" Points  ")
    points.append(String(player.points), .bold)
    points.append("  \(player.pointUpdates) of \(player.pointUpdateLimit) updates")
    if player.isStepperVisible { points.append("  [-] [+]") }

    var upload = Line(" Upload  \(player.uploads) of \(player.uploadLimit)")
    if player.isUploading {
      upload.append("  uploading ...", Style(color: .blue))
    } else if player.isUploadVisible {
      upload.append("  [u]", player.isUploadEnabled ? .bold : .dim)
    }
    if !player.isValid { upload.append("  not valid", Style(color: .red)) }
    if let event = player.lastEvent { upload.append("  \(event.message)") }

    return [Line(padded(" Player", to: width), .reversed), name, points, upload]
  }

  // MARK: Keys

  /// The message while the run ends.
  static let ending = "Ending with the audit; in two seconds a signal ends it at once"

  private static let help = Line(
    " r restart  n name  u upload  + - points  / search  m b shelf  f follow  q quit", .dim)

  private static func question(_ prompt: ScreenState.Prompt, _ found: String?) -> Line {
    var line: Line
    switch prompt.subject {
    case .workers: line = Line(" How many workers? ", .bold)
    case .name: line = Line(" Which name? ", .bold)
    case .search: line = Line(" Search for? ", .bold)
    }
    line.append(prompt.text)
    line.append(" ", .reversed)
    if let found { line.append("  \(found)") }
    line.append("  Enter, or Escape to leave it", .dim)
    return line
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
