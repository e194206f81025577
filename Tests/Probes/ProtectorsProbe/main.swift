import Protectors

// A client of the product Protectors and of nothing else: what it needs to compile and to load is what a client needs.

/// A value that is not `Sendable`.
final class Log {
  var lines: [String] = []
}

let balances = Protector(["Ann": 100, "Bob": 50])
balances.withWriteLock { balances in
  balances["Ann"]! -= 30
  balances["Bob"]! += 30
}
let total = balances.withReadLock { $0.values.reduce(0, +) }
precondition(total == 150)

let log = ExclusiveProtector(Log())
log.withWriteLock { $0.lines.append("moved 30") }
let lineCount = log.withWriteLock { $0.lines.count }
precondition(lineCount == 1)

let sum = balances.withWriteLock(waitingUntil: { $0.count == 2 }, timeout: .seconds(1)) {
  $0.values.reduce(0, +)
}
precondition(sum == 150)
precondition(balances.withReadLock(waitingUntil: { $0.isEmpty }, timeout: .milliseconds(1)) { _ in } == nil)
precondition(balances.withWriteLock(when: { $0.isEmpty }) { _ in } == nil)
precondition(balances.exchange([:]).count == 2 && balances.snapshot.isEmpty)

print("Protectors: \(balances.debugDescription)")
