internal import Lifecycles

extension DataTransform {
  /// The number of registrations in memory, including some of deallocated observers.
  package var registrationCount: Int { observers.entryCount }
}
