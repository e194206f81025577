/// A misuse that must end its process with a message.
///
/// A suite lists its misuses, and commits each of them in a process of its own. An exit test can't pass a closure
/// to that process, so it passes the index of the misuse.
package struct Misuse: Sendable {
  /// The message of the trap, after "Interlock: ".
  package let message: String

  package let commit: @Sendable () async throws -> Void

  /// Makes a misuse.
  ///
  /// - Parameters:
  ///   - parts: The message, or the mistake and the advice of which it consists.
  ///   - commit: Does what must trap.
  package init(_ parts: String..., commit: @escaping @Sendable () async throws -> Void) {
    message = parts.joined(separator: "; ")
    self.commit = commit
  }
}
