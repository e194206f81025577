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

  /// The text in a C array of characters, up to its terminating zero.
  private static func text<Array: BitwiseCopyable>(_ array: Array) -> String {
    withUnsafeBytes(of: array) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  // MARK: Text files of Linux

  /// The first processor's name in the text of /proc/cpuinfo; `nil` if there is none.
  package static func processorModel(inCPUInfo text: String) -> String? {
    field("model name", in: text, separator: ":")
  }

  /// The distribution's name in the text of /etc/os-release; `nil` if there is none.
  package static func distribution(inOSRelease text: String) -> String? {
    field("PRETTY_NAME", in: text, separator: "=").map { String($0.filter { $0 != "\"" }) }
  }

  /// The number of processors in the affinity mask, read from the text of /proc/self/status; `nil` if the
  /// text has no mask.
  package static func allowedProcessors(inStatus text: String) -> Int? {
    guard let mask = field("Cpus_allowed", in: text, separator: ":") else { return nil }
    let count = mask.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
    return count > 0 ? count : nil
  }

  /// The value of the field `name`, from the first line that has the field; `nil` if the field is missing or
  /// empty.
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
