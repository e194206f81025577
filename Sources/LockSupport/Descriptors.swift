/// The file descriptors of the process.
package enum Descriptors {
  /// Closes a descriptor that the caller owns.
  ///
  /// Returns `false` if the descriptor was not open. After any other error it returns `true`: the descriptor
  /// is closed, although data may have been lost.
  package static func close(_ descriptor: Int32) -> Bool {
    Platform.closeDescriptor(descriptor) != Platform.notOpen
  }
}
