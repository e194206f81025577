internal import Lifecycles

extension DataTransform {
  /// How many registrations there are, those of observers that have gone among them until they are met.
  package var registrationCount: Int { observers.entryCount }
}
