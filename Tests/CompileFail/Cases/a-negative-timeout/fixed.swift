import CaseSupport
import UnfairLocks

@main enum Program {
  static func main() {
    let lock = UnfairLock()
    let start = Duration.seconds(1)
    let end = Duration.seconds(2)
    let hasRun = lock.withLock(timeout: end - start) { true }
    conclude(hasRun ?? false, shouldBe: true)
  }
}
