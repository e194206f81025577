import Dispatch
import EventSources
import Lifecycles

func waitForATimer() {
  let fired = DispatchSemaphore(value: 0)
  var setup = Setup<ActivatedSource<TimerEvent>>(.timer(after: .milliseconds(1), on: .global()))
  setup.configuration.onEvent = { _ in fired.signal() }
  let timer = setup.activate()
  fired.wait()
  timer.invalidate()
}

waitForATimer()
