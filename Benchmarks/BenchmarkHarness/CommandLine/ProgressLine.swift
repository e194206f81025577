/// The progress of a run in one line: a bar, the finished share, the time left and the current measurement.
package struct ProgressLine: Sendable, Equatable {
  /// The finished share, from 0 to 1.
  package let done: Double
  /// The time since the run began, in seconds.
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

  /// The estimated time left, such as ", 1:05 left"; empty until an estimate is possible.
  private var left: String {
    guard done > 0.01, elapsed > 0 else { return "" }
    let seconds = Int((elapsed / done * (1 - done)).rounded())
    let digits = String(seconds % 60)
    return ", \(seconds / 60):\(digits.count < 2 ? "0" : "")\(digits) left"
  }
}
