extension Character {
  /// The number of cells that the character takes on a terminal: one or two.
  ///
  /// It is `nil` for a character that is invisible, that might act as a command, or whose width differs
  /// between terminals.
  var cellCount: Int? {
    var sum = 0
    for scalar in unicodeScalars {
      guard let count = scalar.cellCount else { return nil }
      sum += count
    }
    // If all scalars together take more than two cells, the character is a combined emoji, such as a family.
    // Terminals differ on its width: some show one picture, others several.
    return (1...2).contains(sum) ? sum : nil
  }
}

extension Unicode.Scalar {
  /// The number of cells that the scalar takes, from 0 to 2; `nil` for a control character or a line
  /// separator.
  fileprivate var cellCount: Int? {
    if (0x20..<0x7F).contains(value) { return 1 }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return nil
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return Self.visibleFormats.contains(value) ? 1 : 0
    default: break
    }
    // The vowels and final consonants of a Korean syllable share the cells of its first consonant.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    // A pair of regional indicators is a flag of two cells, so each of them counts as one cell.
    if (0x1F1E6...0x1F1FF).contains(value) { return 1 }
    return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
  }

  /// The scalars of the category Format that take a cell: the soft hyphen, and signs like the Arabic number
  /// sign.
  private static let visibleFormats: Set<UInt32> = [
    0xAD, 0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD,
  ]

  /// The wide and full-width characters of the Unicode table East Asian Width.
  ///
  /// Emoji need not be listed, because `isEmojiPresentation` recognises them.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FF,
    0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
