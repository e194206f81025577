/// The rows of a generation, and the numbers of its next edit and row.
struct RowList: Sendable {
  let generation: Int
  private(set) var rows: RowTree<Row>
  private var nextID: Int
  private(set) var editCount = 0

  init(generation: Int, texts: [String]) {
    self.generation = generation
    rows = RowTree(texts.enumerated().map { Row(id: $0.offset, text: $0.element) })
    nextID = texts.count
  }

  /// Makes an edit; returns `nil`, and changes nothing, if its position does not exist.
  mutating func make(_ edit: RowEdit) -> RowNotification? {
    switch edit {
    case .insert(let text, let position):
      guard let index = position.index(below: rows.count + 1) else { return nil }
      let row = Row(id: nextID, text: text)
      nextID += 1
      rows.insert(row, at: index)
      return notification(.inserted, index, row)
    case .remove(let position):
      guard let index = position.index(below: rows.count) else { return nil }
      return notification(.removed, index, rows.remove(at: index))
    case .append(let text, let position):
      guard let index = position.index(below: rows.count) else { return nil }
      rows[index].text += text
      return notification(.modified, index, rows[index])
    }
  }

  /// Takes over the rows of a change that was made elsewhere.
  mutating func follow(_ change: RowNotification) {
    rows = change.rows
    editCount = change.number
  }

  private mutating func notification(_ change: RowChange, _ index: Int, _ row: Row) -> RowNotification {
    editCount += 1
    return RowNotification(
      change: change, index: index, row: row, rows: rows, number: editCount, generation: generation)
  }
}
