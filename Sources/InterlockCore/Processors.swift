/// The processors of the machine.
package enum Processors {
  /// The number of processors online, determined once.
  package static var count: Int { Platform.processorCount }
}
