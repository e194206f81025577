import CaseSupport
import Lifecycles

@main enum Program {
  static func main() {
    let one = Lifecycle(label: "Thermometer")
    let other = Lifecycle(label: "Thermometer")
    let isInOther = Gate()
    let isInOne = Gate()
    one.activate()
    other.activate()
    let end = startThread {
      other.whileActive {
        isInOther.open()
        isInOne.pass()
      }
      one.invalidate()
    }
    one.whileActive {
      isInOne.open()
      isInOther.pass()
    }
    other.invalidate()
    end.pass()
    conclude(one.state, shouldBe: .invalidated)
  }
}
