/// Places labels without overlaps.
package enum LabelLayout {
  /// Moves each position as little as possible, so that all are inside `range` and at least `gap` apart.
  ///
  /// Labels that would overlap are placed `gap` apart, around the mean of their original positions. The
  /// algorithm subtracts the gaps and then applies isotonic regression to the positions. If the range is too
  /// small for all labels, the gaps shrink.
  ///
  /// - Returns: The new positions, in the order of `positions`.
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

  /// The indices of labels that can be shown without overlaps.
  ///
  /// A label that is too close to the previously shown label is left out.
  ///
  /// - Parameters:
  ///   - positions: The centres of the labels, in ascending order.
  ///   - widths: The widths of the labels, in the order of `positions`.
  ///   - space: The minimum space between two labels.
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
