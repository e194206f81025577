#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Examines processes that have trapped.
package enum Trap {
  /// The message after `Interlock: ` in the standard error of a process; `nil` if no line begins like that.
  package static func message(in standardError: [UInt8]?) -> String? {
    guard let standardError else { return nil }
    let lines = String(decoding: standardError, as: UTF8.self).split(whereSeparator: \.isNewline)
    let beginning = "Interlock: "
    return lines.first { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
  }

  /// Ends the process without a message if it still runs after two minutes instead of trapping.
  ///
  /// Call this at the beginning of the body of an exit test. On Linux the watchdog ends a hanging process
  /// earlier, and reports where the process hangs.
  package static func orDie() {
    alarm(120)
  }
}
