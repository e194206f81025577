import CaseSupport
import Dispatch

@main enum Program {
  static func main() {
    let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "sum"))
    source.setEventHandler {}
    conclude(true, shouldBe: true)
  }
}
