/// The contents of a terminal: a character in each of its cells.
///
/// `sequence(since:)` gives only the difference from the frame on the screen. Small changes therefore write
/// little, and nothing flickers.
package struct Frame: Sendable, Equatable {
  /// A cell for a character.
  struct Cell: Sendable, Equatable {
    /// The character; `nil` if a wide character in the cell to the left covers this cell too.
    var character: Character? = " "
    var style = Style.plain
  }

  package let size: Size
  /// The cells, row after row.
  private(set) var cells: [Cell]

  /// Makes a frame from lines of text, beginning at the top.
  ///
  /// Cuts off lines that are too long, and drops lines below the last row.
  ///
  /// Wide characters take two cells. Characters are replaced by a question mark if they are invisible, if the
  /// terminal might treat them as a command, or if terminals differ on their width.
  package init(_ lines: [Line], size: Size) {
    self.size = size
    cells = Array(repeating: Cell(), count: size.columns * size.rows)
    for (row, line) in lines.prefix(size.rows).enumerated() {
      var column = 0
      spans: for span in line.spans {
        for character in span.text {
          let count = character.cellCount
          guard column + (count ?? 1) <= size.columns else { break spans }
          let index = row * size.columns + column
          cells[index] = Cell(character: count == nil ? "?" : character, style: span.style)
          if count == 2 { cells[index + 1] = Cell(character: nil, style: span.style) }
          column += count ?? 1
        }
      }
    }
  }

  /// The text to write so that the terminal shows this frame.
  ///
  /// - Parameter shown: The frame that the terminal shows now; `nil` if it is unknown, or after the
  ///   terminal's size has changed.
  package func sequence(since shown: Frame?) -> String {
    var shown = shown
    var result = ""
    if shown?.size != size {
      shown = Frame([], size: size)
      result = Control.clear
    }
    guard let shown else { return result }
    // The index of the cursor's cell; `nil` if it is unknown. Terminals differ on this cell after a character
    // in the last column, and after a character of several scalars.
    var cursor: Int?
    var style: Style?
    for index in cells.indices where cells[index] != shown.cells[index] {
      guard let character = cells[index].character else { continue }
      if cursor != index {
        result += Control.move(column: index % size.columns, row: index / size.columns)
      }
      if style != cells[index].style {
        result += cells[index].style.sequence
        style = cells[index].style
      }
      result.append(character)
      let next = index + (character.cellCount ?? 1)
      cursor = next % size.columns == 0 || character.unicodeScalars.count > 1 ? nil : next
    }
    return result
  }
}
