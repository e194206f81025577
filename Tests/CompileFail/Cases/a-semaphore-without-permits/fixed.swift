import AsyncLocks
import CaseSupport

@main enum Program {
  static func main() async {
    let limit = AsyncSemaphore(permits: 1)
    conclude(await limit.withPermit { 42 }, shouldBe: 42)
  }
}
