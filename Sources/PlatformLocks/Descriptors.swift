/// The file descriptors of the process.
package enum Descriptors {
  /// Closes a descriptor that is the caller's; `false` where it was not open.
  ///
  /// Other errors tell that data was lost on the way; the descriptor is closed all the same.
  package static func close(_ descriptor: Int32) -> Bool {
    Platform.closeDescriptor(descriptor) != Platform.notOpen
  }
}
