// Using the main actor's state in another queue's callback.
//
// The state belongs to the main thread, and another one changes it.

import Dispatch
import EventSources

@MainActor final class Screen {
  var sum: UInt = 0

  func configure(_ configuration: inout ActivatedSource<AddedData>.Configuration) {
    #if WRONG
      configuration.onEvent = { event in self.sum += event.sum }
    // error: main actor-isolated property 'sum' can not be mutated from a Sendable closure
    #else
      configuration.onEvent = { event in Task { @MainActor in self.sum += event.sum } }
    #endif
  }
}
