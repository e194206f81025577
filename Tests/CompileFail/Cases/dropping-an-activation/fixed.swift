import CaseSupport
import Lifecycles

final class Thermometer: Activatable {
  init(_ configuration: Void) {}
  func activate() {}
  func invalidate() {}
}

@main enum Program {
  static func main() {
    let activation = Setup<Thermometer>(()).activate()
    activation.invalidate()
    conclude(true, shouldBe: true)
  }
}
