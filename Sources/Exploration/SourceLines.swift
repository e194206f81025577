#if Exploration
  #if canImport(Darwin)
    internal import Darwin
  #else
    internal import Glibc
  #endif
  internal import CExploration
  internal import InterlockCore
  internal import Runtime

  /// Where a step was made.
  struct Place {
    /// The innermost line outside this package, for example `Bank.swift:12`; `nil` if it is not known.
    var line: String?
    var column = 0
    /// The function of this package that the line calls.
    var function: String?
    /// The name of the file with `function`, without its extension.
    var file: String?
    /// The innermost line of this package that is not hidden; `nil` if it is not known.
    var ownLine: String?

    /// The line of this package that makes the step and the line of the program, each if it is known.
    var text: String { [ownLine, line].compactMap(\.self).joined(separator: " ← ") }

    /// Whether both places can belong to one call in the program.
    ///
    /// One of them may lack a line, because a step in a slow path, or of a task, may have lost it.
    func isSameCall(as other: Place) -> Bool {
      other.line == nil || line == other.line && column == other.column
        || line == nil && function == other.function
    }
  }

  /// Finds the source lines at which a step was made: a line of this package, and a line of the test that
  /// called it.
  enum SourceLines {
    /// The folder of this package's modules.
    private static let sources = package + "Sources/"

    private static let package = String(#filePath.dropLast("Sources/Exploration/SourceLines.swift".count))

    /// Whether a report leaves out the lines of a file: those of the explorer, and of the layers below the
    /// algorithms.
    private static func isHidden(_ path: String) -> Bool {
      if path.hasPrefix(core) { return !algorithms.contains { path.dropFirst(core.count).hasPrefix($0) } }
      return explorer.contains { path.hasPrefix($0) }
    }

    private static let explorer = ["Exploration/", "CExploration/", "CInterlock/"].map { sources + $0 }

    private static let core = sources + "InterlockCore/"
    private static let algorithms = ["Locks/", "Threads/ThreadRecord"]

    private struct Capture {
      let images: ImageMap
      var stack: Backtrace?
    }

    /// The stack of the calling thread, as addresses; `nil` if it can't be captured.
    ///
    /// `images` are the program and its loaded libraries, which are needed to walk the stack. A task that
    /// resumes at `point` has no frame for that place yet, so this function makes one.
    static func capture(_ images: ImageMap, at point: interlock_resume_point) -> Backtrace? {
      var capture = Capture(images: images)
      // Sound: `interlock_capture` calls the closure before it returns, so the pointer to `capture` is still
      // valid.
      unsafe withUnsafeMutablePointer(to: &capture) { pointer in
        unsafe interlock_capture(
          point,
          { argument in
            let capture = unsafe argument!.assumingMemoryBound(to: Capture.self)
            unsafe capture.pointee.stack = try? .capture(limit: 32, top: 0, images: capture.pointee.images)
          }, pointer)
      }
      return capture.stack
    }

    /// For each step of `trace`, the source lines that made it; `nil` if the step has no stack, or the stack
    /// has no known lines.
    static func find(_ trace: [Step], _ images: ImageMap?) -> [Place?] {
      guard let images else { return trace.map { _ in nil } }
      var symbols = Symbols(images: images)
      return trace.map { step in step.stack.map { place(of: $0, &symbols) } }
    }

    private static func place(of stack: Backtrace, _ symbols: inout Symbols) -> Place {
      var place = Place()
      for frame in stack.frames {
        for symbol in symbols.of(frame) {
          guard let location = symbol.sourceLocation, location.line > 0 else { continue }
          // The path of a function that was inlined from another file is relative to the package.
          let path = location.path.hasPrefix("/") ? location.path : package + location.path
          if isHidden(path) || path.hasSuffix("<compiler-generated>") { continue }
          let line = "\(path.split(separator: "/").last ?? ""):\(location.line)"
          guard path.hasPrefix(sources) else {
            place.line = line
            place.column = location.column
            return place
          }
          if place.ownLine == nil { place.ownLine = line }
          place.function = symbol.name
          place.file = line.split(separator: ".").first.map(String.init)
        }
      }
      return place
    }

    /// The functions at the addresses of a trace.
    ///
    /// Finding the line of one address takes tenths of a second in a large program, because the runtime reads the line
    /// tables of all files. So each is found once, and those of the outer frames, which no place shows, never.
    private struct Symbols {
      let images: ImageMap
      private var known: [UInt: [SymbolicatedBacktrace.Symbol]] = [:]

      init(images: ImageMap) { self.images = images }

      /// The functions at the address of a frame, of which each but the last is inlined into the next one.
      mutating func of(_ frame: Backtrace.Frame) -> [SymbolicatedBacktrace.Symbol] {
        switch frame {
        case .programCounter, .returnAddress, .asyncResumePoint: break
        default: return []
        }
        guard let address = UInt(frame.adjustedProgramCounter) else { return [] }
        if let symbols = known[address] { return symbols }
        // A return address is behind its call.
        let stack = Backtrace(returnAddresses: [address + 1])?.symbolicated(with: images)
        let symbols = (stack?.frames ?? []).compactMap(\.symbol)
        known[address] = symbols
        return symbols
      }
    }

    /// Whether `file`, given as `Module/File.swift`, is a file of this package.
    static func isOfPackage(_ file: StaticString) -> Bool {
      let path = sources + "\(file)"
      return unsafe path.withCString { unsafe access($0, F_OK) == 0 }
    }
  }
#endif
