/// The file descriptors of the process.
package enum Descriptors {
  /// Closes a descriptor that the caller owns.
  ///
  /// Returns `false` if it was not open.
  ///
  /// Other errors mean that data was lost, but the descriptor is closed all the same.
  package static func close(_ descriptor: Int32) -> Bool {
    Platform.closeDescriptor(descriptor) != Platform.notOpen
  }
}
