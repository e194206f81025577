internal import Foundation

/// The output of a command; tests use one that records it.
package protocol Console: AnyObject {
  /// Prints a result of one or more lines, and a line break after the last one.
  func print(_ text: String)

  /// Prints a line about a problem.
  func complain(_ text: String)

  /// Replaces the progress display; "" clears it.
  func show(progress: String)

  /// The reason why `print` failed, which does not end the program; `nil` if it did not fail.
  var failure: Failure? { get }
}

/// Standard output and standard error.
package final class StandardConsole: Console {
  package private(set) var failure: Failure?
  private let progressWidth: Int

  package init() {
    var size = winsize()
    let isSized = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    progressWidth = isatty(STDERR_FILENO) == 0 ? 0 : isSized ? Int(size.ws_col) : 80
    // A failed write is reported, and does not end the program by a signal.
    signal(SIGPIPE, SIG_IGN)
  }

  package func print(_ text: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    } catch {
      failure = failure ?? Failure("can't write standard output: \(error.localizedDescription)")
    }
  }

  package func complain(_ text: String) {
    // A failure to print a problem is ignored, because the exit status reports the problem too.
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }

  package func show(progress: String) {
    guard progressWidth > 0 else { return }
    // Return to the first column, print the text, and clear the rest of the line. The last column stays free,
    // because terminals differ on where the cursor is after a character in that column.
    let line = "\r\(progress.prefix(progressWidth - 1))\u{1B}[K"
    try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
  }
}

/// A file that a report is written to.
///
/// It is opened once before the measurements, so that a wrong path does not cost minutes of measuring.
struct OutputFile {
  let path: String
  /// Whether the file had no contents when this value was made.
  let wasEmpty: Bool

  init(path: String) throws(Failure) {
    self.path = path
    guard let file = fopen(path, "a") else { throw Self.failure(path, String(cString: strerror(errno))) }
    fseek(file, 0, SEEK_END)
    wasEmpty = ftell(file) <= 0
    fclose(file)
  }

  func write(_ text: String) throws(Failure) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    } catch {
      throw Self.failure(path, error.localizedDescription)
    }
  }

  private static func failure(_ path: String, _ reason: String) -> Failure {
    Failure("can't write \(path): \(reason)")
  }
}
