internal import Foundation

/// A new unique path in the directory for temporary files; creates no file.
///
/// - Parameter name: The beginning of the file's name.
package func temporaryPath(_ name: String) -> String {
  FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)").path
}
