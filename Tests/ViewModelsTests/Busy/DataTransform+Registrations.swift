import Observers

@testable import ViewModels

extension DataTransform {
  /// The number of registrations in memory, some of which may belong to deallocated observers.
  var registrationCount: Int { observers.entryCount }
}
