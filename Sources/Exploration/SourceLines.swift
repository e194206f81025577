#if Exploration
  internal import Runtime

  /// Finds the source lines at which a step was made: a line of this package, and a line of the test that
  /// called it.
  enum SourceLines {
    /// The folder of this package's modules.
    private static let sources = package + "Sources/"

    private static let package = String(#filePath.dropLast("Sources/Exploration/SourceLines.swift".count))

    /// The modules whose lines a report leaves out: the explorer, and the layers below the algorithms.
    private static let hidden = ["Exploration", "LockSupport", "ThreadSupport", "CInterlock"].map {
      sources + $0 + "/"
    }

    /// The stack of the calling thread, as addresses; `nil` if it can't be captured.
    ///
    /// `images` are the program and its loaded libraries, which are needed to walk the stack.
    static func capture(_ images: ImageMap) -> Backtrace? {
      try? Backtrace.capture(limit: 32, top: 0, images: images)
    }

    /// The line of this package that makes the step, and the innermost line of the test, as far as they are
    /// known.
    static func lines(of stack: Backtrace, _ images: ImageMap) -> [String] {
      guard let stack = stack.symbolicated(with: images) else { return [] }
      var lines: [String] = []
      for frame in stack.frames {
        guard let location = frame.symbol?.sourceLocation, location.line > 0 else { continue }
        // The path of a function that was inlined from another file is relative to the package.
        let path = location.path.hasPrefix("/") ? location.path : package + location.path
        if hidden.contains(where: path.hasPrefix) || path.hasSuffix("<compiler-generated>") { continue }
        let isToolkit = path.hasPrefix(sources)
        if isToolkit, !lines.isEmpty { continue }
        lines.append("\(path.split(separator: "/").last ?? ""):\(location.line)")
        if !isToolkit { break }
      }
      return lines
    }
  }
#endif
