// The samples run on the main actor.
import ViewModels

@MainActor
final class View {
  func show(_ number: Int) {}
}
@MainActor let view = View()
