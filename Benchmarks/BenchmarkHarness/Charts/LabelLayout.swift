/// Places labels so that none covers another.
package enum LabelLayout {
  /// Moves positions apart until neighbours are `gap` apart, each as little as possible, inside `range`.
  ///
  /// Neighbours that would collide form a block, which lies around the middle of where its members want to be
  /// (the isotonic regression of the positions without the gaps). Where the range has no room for all, the
  /// gaps shrink.
  ///
  /// - Returns: The new positions, in the order of the given ones.
  package static func spread(
    _ positions: [Double], gap: Double, within range: ClosedRange<Double>
  ) -> [Double] {
    guard positions.count > 1 else {
      return positions.map { min(max($0, range.lowerBound), range.upperBound) }
    }
    let gap = min(gap, (range.upperBound - range.lowerBound) / Double(positions.count - 1))
    let order = positions.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }
    var blocks: [(sum: Double, count: Int)] = []
    for (rank, index) in order.enumerated() {
      blocks.append((positions[index] - Double(rank) * gap, 1))
      while blocks.count > 1 {
        let (last, before) = (blocks[blocks.count - 1], blocks[blocks.count - 2])
        guard last.sum / Double(last.count) < before.sum / Double(before.count) else { break }
        blocks.removeLast(2)
        blocks.append((last.sum + before.sum, last.count + before.count))
      }
    }
    let highest = range.upperBound - Double(positions.count - 1) * gap
    let bases = blocks.flatMap { block in
      Array(
        repeating: min(max(block.sum / Double(block.count), range.lowerBound), highest), count: block.count)
    }
    var result = positions
    for (rank, index) in order.enumerated() {
      result[index] = bases[rank] + Double(rank) * gap
    }
    return result
  }

  /// Which of some labels, in the order of their positions, can be shown: each that does not come too close
  /// to the last shown one.
  ///
  /// - Parameter widths: Of the labels, which stand centred at their positions.
  package static func shown(at positions: [Double], widths: [Double], space: Double) -> [Int] {
    var shown: [Int] = []
    for index in positions.indices {
      if let last = shown.last,
        positions[index] - widths[index] / 2 < positions[last] + widths[last] / 2 + space
      {
        continue
      }
      shown.append(index)
    }
    return shown
  }
}
