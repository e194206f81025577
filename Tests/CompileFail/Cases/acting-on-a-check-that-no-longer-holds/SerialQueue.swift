import CaseSupport
import Dispatch

final class Theatre: @unchecked Sendable {
  let queue = DispatchQueue(label: "theatre")
  var seats = 1
}

@main enum Program {
  static func main() {
    let theatre = Theatre()
    let isFree = theatre.queue.sync { theatre.seats > 0 }
    onAnotherThread { theatre.queue.sync { if theatre.seats > 0 { theatre.seats -= 1 } } }
    if isFree { theatre.queue.sync { theatre.seats -= 1 } }
    conclude(theatre.seats, shouldBe: 0)
  }
}
