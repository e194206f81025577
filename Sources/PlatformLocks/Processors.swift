/// The processors of the machine.
package enum Processors {
  /// How many are online; asked once.
  package static var count: Int { Platform.processorCount }
}
