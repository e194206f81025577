/// What is going on now, in one line: a bar, the share that is over, the time that is left and what is
/// measured.
package struct ProgressLine: Sendable, Equatable {
  /// From 0 to 1.
  package let done: Double
  /// Since the beginning, in seconds.
  package let elapsed: Double
  package let what: String

  package init(done: Double, elapsed: Double, what: String) {
    self.done = done
    self.elapsed = elapsed
    self.what = what
  }

  package var text: String {
    "▕\(TextBar.lying(done, of: 1, width: 20))▏ \(Figures.fixed(done * 100, 0)) %\(left)  \(what)"
  }

  /// The time that is left at the speed so far; nothing before there is a speed.
  private var left: String {
    guard done > 0.01, elapsed > 0 else { return "" }
    let seconds = Int((elapsed / done * (1 - done)).rounded())
    let digits = String(seconds % 60)
    return ", \(seconds / 60):\(digits.count < 2 ? "0" : "")\(digits) left"
  }
}
