import CaseSupport
import Lifecycles

func measure() {
  let lifecycle = Lifecycle(label: "Thermometer")
  lifecycle.activate()
  lifecycle.invalidate()
}

@main enum Program {
  static func main() {
    measure()
    conclude(true, shouldBe: true)
  }
}
