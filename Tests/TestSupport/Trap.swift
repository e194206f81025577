#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// What a process that trapped said.
package enum Trap {
  /// The sentence after `Interlock: ` in the standard error of a process; `nil` where there is none.
  package static func message(in standardError: [UInt8]?) -> String? {
    guard let standardError else { return nil }
    let lines = String(decoding: standardError, as: UTF8.self).split(whereSeparator: \.isNewline)
    for line in lines {
      let parts = line.split(separator: "Interlock: ", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { return String(parts[1]) }
    }
    return nil
  }

  /// Ends the process without a message, should it hang where it ought to trap.
  ///
  /// For the body of an exit test.
  package static func orDie(within seconds: UInt32 = 30) {
    alarm(seconds)
  }
}
