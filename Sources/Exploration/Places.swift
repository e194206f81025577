#if Exploration
  internal import Runtime

  /// Where the calling thread is, in the code of the toolkit and of the test.
  enum Places {
    /// The folder of the toolkit's modules.
    private static let sources = String(#filePath.dropLast("Exploration/Places.swift".count))

    /// Modules that stand between the algorithms and the machine.
    private static let hidden = ["Exploration", "PlatformLocks", "ThreadSupport", "CInterlock"].map {
      sources + $0 + "/"
    }

    /// The stack of the calling thread, as addresses.
    static func capture(_ images: ImageMap) -> Backtrace? {
      try? Backtrace.capture(limit: 32, top: 0, images: images)
    }

    /// The line of the toolkit that does the step, and the innermost line of the test, as far as there are
    /// any.
    static func lines(of stack: Backtrace, _ images: ImageMap) -> [String] {
      guard let stack = stack.symbolicated(with: images) else { return [] }
      var lines: [String] = []
      for frame in stack.frames {
        guard let location = frame.symbol?.sourceLocation, location.line > 0 else { continue }
        let path = location.path
        if hidden.contains(where: path.hasPrefix) { continue }
        let isToolkit = path.hasPrefix(sources)
        if isToolkit, !lines.isEmpty { continue }
        lines.append("\(path.split(separator: "/").last ?? ""):\(location.line)")
        if !isToolkit { break }
      }
      return lines
    }
  }
#endif
