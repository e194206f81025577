/// The configuration and the compiler with which the benchmark program was built.
package struct BuildDescription: Sendable, Equatable, Codable {
  /// The build configuration: "debug" or "release".
  package let configuration: String
  /// The compiler's version, such as "Swift 6.3.1", or a range of versions, such as "Swift 6.5 or later".
  package let compiler: String

  package init(isDebug: Bool, compiler: String) {
    configuration = isDebug ? "debug" : "release"
    self.compiler = compiler
  }

  /// The build of this program.
  package static var current: BuildDescription {
    var isDebug = false
    // Assertions are evaluated only in debug builds, so only a debug build sets `isDebug`.
    assert(
      {
        isDebug = true
        return true
      }())
    return BuildDescription(isDebug: isDebug, compiler: compiler)
  }

  /// Whether the build was not optimised.
  package var isDebug: Bool { configuration == "debug" }

  #if compiler(>=6.5)
    private static let compiler = "Swift 6.5 or later"
  #elseif compiler(>=6.4)
    private static let compiler = "Swift 6.4"
  #elseif compiler(>=6.3.2)
    private static let compiler = "Swift 6.3.2 or a later 6.3"
  #elseif compiler(>=6.3.1)
    private static let compiler = "Swift 6.3.1"
  #else
    private static let compiler = "Swift 6.3"
  #endif
}
