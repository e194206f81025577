import Dispatch
import EventSources
import Lifecycles

// A client of the product EventSources alone: it shows that the product compiles and loads by itself.

let fired = DispatchSemaphore(value: 0)

func waitForATimer() {
  var setup = Setup<ActivatedSource<TimerEvent>>(.timer(after: .milliseconds(1), on: .global()))
  setup.configuration.onEvent = { _ in fired.signal() }
  let timer = setup.activate()
  fired.wait()
  timer.invalidate()
}

waitForATimer()
print("EventSources: a timer has fired")
