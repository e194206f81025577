import CaseSupport
import Lifecycles
import Protectors

@main enum Program {
  static func main() {
    let lifecycle = Lifecycle(label: "Thermometer")
    let values = Protector([21.5])
    let isDelivering = Gate()
    let isInSection = Gate()
    lifecycle.activate()
    let end = startThread {
      lifecycle.whileActive {
        isDelivering.open()
        isInSection.pass()
        values.withWriteLock { $0.append(22) }
      }
    }
    isDelivering.pass()
    values.withWriteLock { values in
      isInSection.open()
      values.removeAll()
    }
    lifecycle.invalidate()
    end.pass()
    conclude(lifecycle.state, shouldBe: .invalidated)
  }
}
