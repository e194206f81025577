import CaseSupport
import Protectors

@main enum Program {
  static func main() {
    let seats = Protector(1)
    onAnotherThread { _ = seats.withWriteLock(when: { $0 > 0 }) { $0 -= 1 } }
    _ = seats.withWriteLock(when: { $0 > 0 }) { $0 -= 1 }
    conclude(seats.snapshot, shouldBe: 0)
  }
}
