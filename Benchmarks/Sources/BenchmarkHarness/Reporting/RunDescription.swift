internal import Foundation

/// The conditions of a run, which are needed to understand its figures.
package struct RunDescription: Sendable, Equatable, Codable {
  package var machine: Machine
  /// The build configuration of the program: "debug" or "release".
  package var configuration = Self.configuration
  /// The version of the compiler that built it, or a range of versions, such as "Swift 6.5 or later".
  package var compiler = Self.compilerVersion
  package var effort: Effort
  /// The texts that select contestants; empty for all.
  package var filter: [String] = []
  /// The time at which the run started, in seconds since 1970.
  package var startedAtUnixTime: Int

  /// The machine on which the figures were measured.
  package struct Machine: Sendable, Equatable, Codable {
    package let processor: String
    /// The number of processors that the process may use.
    package let processorCount: Int
    package let system: String
  }

  /// Whether the program was not optimized.
  package var isDebug: Bool { configuration == "debug" }
}

extension RunDescription {
  #if DEBUG
    private static let configuration = "debug"
  #else
    private static let configuration = "release"
  #endif

  #if compiler(>=6.5)
    private static let compilerVersion = "Swift 6.5 or later"
  #elseif compiler(>=6.4)
    private static let compilerVersion = "Swift 6.4"
  #elseif compiler(>=6.3.2)
    private static let compilerVersion = "Swift 6.3.2 or a later 6.3"
  #elseif compiler(>=6.3.1)
    private static let compilerVersion = "Swift 6.3.1"
  #else
    private static let compilerVersion = "Swift 6.3"
  #endif
}

extension RunDescription.Machine {
  /// The machine that this process runs on.
  package static var current: Self {
    var names = utsname()
    uname(&names)
    let system = ProcessInfo.processInfo.operatingSystemVersionString
    return Self(
      processor: processorModel ?? "unknown processor",
      processorCount: ProcessInfo.processInfo.activeProcessorCount,
      system: "\(system), \(text(names.sysname)) \(text(names.release)), \(text(names.machine))")
  }

  /// The text in a C array of characters, up to its terminating zero.
  private static func text<Array: BitwiseCopyable>(_ array: Array) -> String {
    withUnsafeBytes(of: array) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The processor's name on Linux; `nil` on other systems.
  private static var processorModel: String? {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
  }
}
