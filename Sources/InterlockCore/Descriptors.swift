/// The file descriptors of the process.
package enum Descriptors {
  /// Closes a descriptor that the caller owns; returns `false` if it was not open, otherwise `true`.
  ///
  /// After any other error the descriptor is closed, although data may have been lost.
  package static func close(_ descriptor: Int32) -> Bool {
    Platform.closeDescriptor(descriptor) != Platform.notOpen
  }
}
