import AsyncLocks
import CaseSupport

@main enum Program {
  static func main() async {
    let balance = AsyncMutex(100)
    await balance.withLock { value in
      value += 30
    }
    await Task { await balance.withLock { $0 += 50 } }.value
    conclude(await balance.withLock { $0 }, shouldBe: 180)
  }
}
