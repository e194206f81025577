internal import Foundation

/// The machine on which the figures were measured.
package struct MachineDescription: Sendable, Equatable, Codable {
  package let processor: String
  /// The number of processors that the process may use.
  package let processorCount: Int
  package let architecture: String
  package let system: String

  /// The machine that this process runs on.
  package static var current: MachineDescription {
    var names = utsname()
    uname(&names)
    let kernel = "\(text(names.sysname)) \(text(names.release))"
    return MachineDescription(
      processor: Platform.processorModel ?? "unknown processor",
      processorCount: Platform.processorCount,
      architecture: text(names.machine),
      system: Platform.distribution.map { "\($0), \(kernel)" } ?? kernel)
  }

  /// The bytes of a C array up to its terminating zero.
  private static func text<Array: BitwiseCopyable>(_ array: Array) -> String {
    withUnsafeBytes(of: array) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  // MARK: Text files of Linux

  /// The first processor's name in /proc/cpuinfo.
  package static func processorModel(inCPUInfo text: String) -> String? {
    field("model name", in: text, separator: ":")
  }

  /// The distribution in /etc/os-release.
  package static func distribution(inOSRelease text: String) -> String? {
    field("PRETTY_NAME", in: text, separator: "=").map { String($0.filter { $0 != "\"" }) }
  }

  /// The number of bits set in the processor mask of /proc/self/status.
  package static func allowedProcessors(inStatus text: String) -> Int? {
    guard let mask = field("Cpus_allowed", in: text, separator: ":") else { return nil }
    let count = mask.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
    return count > 0 ? count : nil
  }

  /// The text after the separator in the first line whose text before it is `name`.
  private static func field(_ name: String, in text: String, separator: Character) -> String? {
    for line in text.split(separator: "\n") {
      guard let end = line.firstIndex(of: separator),
        line[..<end].trimmingCharacters(in: .whitespaces) == name
      else { continue }
      let value = line[line.index(after: end)...].trimmingCharacters(in: .whitespaces)
      return value.isEmpty ? nil : value
    }
    return nil
  }
}
