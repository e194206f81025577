// The samples run on the main actor.
import ViewModels

@MainActor let transform = DataTransform()
@MainActor
final class Spinner {
  var isHidden = false
}
@MainActor let spinner = Spinner()
