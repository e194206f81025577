// Awaiting events without a source.
//
// Nobody would own the source, and end it: the signal would stay watched forever.

import Dispatch
import EventSources
import Lifecycles

func waitForSignal(_ number: Int32) async {
  #if WRONG
    for await _ in SourceEvents(.signal(number, on: .global())) { return }
  // error: 'init(_:)' is unavailable: events come from the configuration of a Setup: let events =
  // setup.configuration.makeEvents(); then setup.withActivation { … }
  #else
    var setup = Setup<ActivatedSource<SignalEvent>>(.signal(number, on: .global()))
    let signals = setup.configuration.makeEvents()
    await setup.withActivation { _ in
      for await _ in signals { return }
    }
  #endif
}
