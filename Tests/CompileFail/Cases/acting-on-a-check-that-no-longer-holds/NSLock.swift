import CaseSupport
import Foundation

final class Theatre: @unchecked Sendable {
  let lock = NSLock()
  var seats = 1
}

@main enum Program {
  static func main() {
    let theatre = Theatre()
    let isFree = theatre.lock.withLock { theatre.seats > 0 }
    onAnotherThread { theatre.lock.withLock { if theatre.seats > 0 { theatre.seats -= 1 } } }
    if isFree { theatre.lock.withLock { theatre.seats -= 1 } }
    conclude(theatre.seats, shouldBe: 0)
  }
}
