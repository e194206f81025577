/// Draws figures as bars of block characters, for a quick comparison in a terminal.
package enum TextBar {
  private static let eighthsOfWidth = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
  private static let eighthsOfHeight = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// A horizontal bar whose length is the ratio of `value` to `limit`, padded with spaces to `width`.
  ///
  /// If `value` is above `limit`, the bar ends in "▸".
  package static func lying(_ value: Double, of limit: Double, width: Int) -> String {
    guard value.isFinite, limit > 0 else { return String(repeating: " ", count: width) }
    guard value <= limit * 1.001 else { return String(repeating: "█", count: width - 1) + "▸" }
    let eighths = Int((max(0, value) / limit * Double(width * 8)).rounded())
    let bar = String(repeating: "█", count: eighths / 8) + eighthsOfWidth[eighths % 8]
    return bar + String(repeating: " ", count: max(0, width - bar.count))
  }

  /// A vertical bar, one character wide, whose height is the ratio of `value` to `limit`.
  ///
  /// A value above `limit` is drawn as high as the limit.
  package static func standing(_ value: Double, of limit: Double) -> String {
    guard value.isFinite, limit > 0 else { return " " }
    return eighthsOfHeight[min(7, max(0, Int(value / limit * 8)))]
  }
}
