// The samples run on the main actor.
import ViewModels

@MainActor let transform = DataTransform()
@MainActor
final class Spinner {
  var isHidden = false
}
@MainActor let spinner = Spinner()

protocol TransformObserver: AnyObject {}
struct Subsystem {
  func register(_ observer: any TransformObserver) {}
  func unregister(_ observer: any TransformObserver) {}
}
let subsystem = Subsystem()
