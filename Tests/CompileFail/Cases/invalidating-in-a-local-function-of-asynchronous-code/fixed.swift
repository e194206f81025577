import CaseSupport
import Lifecycles

@main enum Program {
  @MainActor
  static func main() async {
    let lifecycle = Lifecycle(label: "Thermometer")
    lifecycle.activate()
    let isDelivering = Gate()
    deliver(lifecycle, isDelivering)
    waitFor(isDelivering)
    await lifecycle.invalidate()
    conclude(lifecycle.state, shouldBe: .invalidated)
  }
}

/// The delivery ends when the main actor has had time for it.
func deliver(_ lifecycle: Lifecycle, _ isDelivering: Gate) {
  _ = startThread {
    lifecycle.whileActive {
      isDelivering.open()
      let isShown = Gate()
      Task { @MainActor in isShown.open() }
      isShown.pass()
    }
  }
}

func waitFor(_ gate: Gate) { gate.pass() }
