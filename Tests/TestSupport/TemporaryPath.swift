internal import Foundation

/// A path in the directory for temporary files at which there is no file.
///
/// - Parameter name: The beginning of the file's name.
package func temporaryPath(_ name: String) -> String {
  FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)").path
}
