import CaseSupport
import Dispatch

final class Names: @unchecked Sendable {
  let queue = DispatchQueue(label: "names")
  var count = 1
}

@main enum Program {
  static func main() {
    let names = Names()
    let isChanged = Gate()
    let end = names.queue.sync {
      startThread {
        isChanged.pass()
        conclude(names.count, shouldBe: 1)
      }
    }
    names.queue.sync { names.count = 2 }
    isChanged.open()
    end.pass()
  }
}
