import CaseSupport
import Dispatch
import EventSources
import Lifecycles

@main enum Program {
  static func main() {
    let source = ActivatedSource<AddedData>(.adding(on: .global(), label: "sums"))
    source.activate()
    source.suspend()
    source.resume()
    source.invalidate()
    conclude(true, shouldBe: true)
  }
}
