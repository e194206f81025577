internal import Observers
internal import Lifecycles

extension DataTransform {
  /// The number of registrations in memory, some of which may belong to deallocated observers.
  package var registrationCount: Int { observers.entryCount }
}
