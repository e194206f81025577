// Tasks that wait for one another, as a client's optimizer leaves them. `.ci/deadlocks` runs the program, and looks for the
// lines of the two inner acquisitions.
import AsyncLocks
import DeadlockDetection
import Glibc
import Synchronization

func transfer(_ accounts: AsyncMutex<Int>, _ log: AsyncMutex<Int>) async {
  await accounts.withLock { _ in
    await bothHoldOne()
    await log.withLock { $0 += 1 }
  }
}

func audit(_ accounts: AsyncMutex<Int>, _ log: AsyncMutex<Int>) async {
  await log.withLock { _ in
    await bothHoldOne()
    await accounts.withLock { $0 += 1 }
  }
}

let holders = Atomic(0)

/// Waits until each of the two tasks holds its first mutex.
func bothHoldOne() async {
  holders.add(1, ordering: .relaxed)
  while holders.load(ordering: .relaxed) < 2 { await Task.yield() }
}

@main struct Tasks {
  static func main() async {
    DeadlockDetector.action = .call { report in
      print(report.text)
      if report.kind == .happened { exit(0) }
    }
    DeadlockDetector.waitLimit = .milliseconds(50)
    let (accounts, log) = (AsyncMutex(0, label: "accounts"), AsyncMutex(0, label: "log"))
    for _ in 0..<8 { Task { await accounts.withLock { $0 += 1 } } }
    Task { await transfer(accounts, log) }
    Task { await audit(accounts, log) }
    try? await Task.sleep(for: .seconds(60))
    exit(1)
  }
}
