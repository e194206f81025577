/// The style of a cell.
package struct Style: Sendable, Equatable {
  /// Four of the eight basic text colours; a raw value is the number in the control sequence.
  package enum Color: Int, Sendable {
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
  }

  package var color: Color?
  package var isBold: Bool
  package var isDim: Bool
  package var isReversed: Bool

  package init(color: Color? = nil, isBold: Bool = false, isDim: Bool = false, isReversed: Bool = false) {
    self.color = color
    self.isBold = isBold
    self.isDim = isDim
    self.isReversed = isReversed
  }

  package static let plain = Style()
  package static let bold = Style(isBold: true)
  package static let dim = Style(isDim: true)
  package static let reversed = Style(isReversed: true)

  /// The control sequence that selects this style, whatever style was selected before.
  var sequence: String {
    var codes = [0]
    if isBold { codes.append(1) }
    if isDim { codes.append(2) }
    if isReversed { codes.append(7) }
    if let color { codes.append(color.rawValue) }
    return Control.sequence(codes, "m")
  }
}
