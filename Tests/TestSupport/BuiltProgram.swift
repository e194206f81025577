package import Foundation

/// The error of `builtProgram(_:)` if the program was not built together with the tests.
private struct MissingProgram: Error, CustomStringConvertible {
  var description: String
}

/// Finds the executable `name` that was built together with the tests.
///
/// Throws an error if there is none in a folder that contains the test program.
package func builtProgram(_ name: String) throws -> URL {
  let arguments = CommandLine.arguments
  let bundle = arguments.firstIndex(of: "--test-bundle-path").map { arguments[$0 + 1] } ?? arguments[0]
  var directory = URL(fileURLWithPath: bundle)
  while directory.path != "/" {
    directory.deleteLastPathComponent()
    let program = directory.appendingPathComponent(name)
    if FileManager.default.isExecutableFile(atPath: program.path) { return program }
  }
  throw MissingProgram(description: "there is no \(name) beside \(bundle)")
}
