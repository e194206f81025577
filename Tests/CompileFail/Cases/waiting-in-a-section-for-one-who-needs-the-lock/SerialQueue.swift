import CaseSupport
import Dispatch

@main enum Program {
  static func main() {
    let queue = DispatchQueue(label: "account")
    queue.sync {
      onAnotherThread { queue.sync {} }
    }
    conclude(true, shouldBe: true)
  }
}
