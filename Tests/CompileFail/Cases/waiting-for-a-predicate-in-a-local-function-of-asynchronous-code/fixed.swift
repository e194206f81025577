import CaseSupport
import Protectors

@main enum Program {
  @MainActor
  static func main() async {
    let answer = Protector<Int?>(nil)
    let task = Task { @MainActor in answer.withWriteLock { $0 = 42 } }
    await task.value
    conclude(answer.snapshot, shouldBe: 42)
  }
}
