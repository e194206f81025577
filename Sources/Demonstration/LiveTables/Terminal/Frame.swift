/// What a terminal shows: a character in each of its cells.
///
/// A frame is drawn as its difference from the one that is shown, so that little is written while little
/// changes, and nothing flickers.
package struct Frame: Sendable, Equatable {
  /// One place for a character.
  struct Cell: Sendable, Equatable {
    var character: Character = " "
    var style = Style.plain
  }

  package let size: Size
  /// Row after row.
  private(set) var cells: [Cell]

  /// The lines from the top, cut off where they are longer or more than fit.
  ///
  /// Each character is to take one cell; those that don't show, or might obey as a command, are replaced by a
  /// question mark.
  package init(_ lines: [Line], size: Size) {
    self.size = size
    cells = Array(repeating: Cell(), count: size.columns * size.rows)
    for (row, line) in lines.prefix(size.rows).enumerated() {
      var column = 0
      for span in line.spans {
        for character in span.text.prefix(size.columns - column) {
          let shown = Self.isVisible(character) ? character : "?"
          cells[row * size.columns + column] = Cell(character: shown, style: span.style)
          column += 1
        }
      }
    }
  }

  /// What to write so that this frame is shown.
  ///
  /// - Parameter shown: The frame that the terminal shows; `nil` where that isn't known, and after its size
  ///   has
  ///   changed.
  package func sequence(since shown: Frame?) -> String {
    var shown = shown
    var result = ""
    if shown?.size != size {
      shown = Frame([], size: size)
      result = Control.clear
    }
    guard let shown else { return result }
    // Where the cursor stands; `nil` where terminals differ: behind the last column.
    var cursor: Int?
    var style: Style?
    for index in cells.indices where cells[index] != shown.cells[index] {
      if cursor != index {
        result += Control.move(column: index % size.columns, row: index / size.columns)
      }
      if style != cells[index].style {
        result += cells[index].style.sequence
        style = cells[index].style
      }
      result.append(cells[index].character)
      cursor = (index + 1) % size.columns == 0 ? nil : index + 1
    }
    return result
  }

  private static func isVisible(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
  }
}
