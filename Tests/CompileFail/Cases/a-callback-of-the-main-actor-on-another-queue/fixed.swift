import Dispatch
import EventSources

@MainActor final class Screen {
  var sum: UInt = 0

  func configure(_ configuration: inout ActivatedSource<AddedData>.Configuration) {
    configuration.onEvent = { event in Task { @MainActor in self.sum += event.sum } }
  }
}
