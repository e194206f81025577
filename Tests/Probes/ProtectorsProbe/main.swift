import Protectors
import Synchronization

// A client of the product Protectors alone: it shows that the product compiles and loads by itself.

/// A value that is not `Sendable`.
final class Log {
  var lines: [String] = []
}

// The product exports the lock types, so a client can name them without another import.
let settings = LockProtector([1, 2], lock: CompactReadWriteLock())
precondition(settings.withReadLock(\.count) == 2)
let number = UnfairLock()
precondition(number.withLock { 1 } == 1)

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

/// Waits with a predicate that holds, and with one that does not.
///
/// The waits are in a function, because the compiler refuses blocking waits at the top level of a program
/// that awaits.
func wait(for balances: Protector<[String: Int]>) {
  let sum = balances.withWriteLock(waitingUntil: { $0.count == 2 }, timeout: .seconds(1)) {
    $0.values.reduce(0, +)
  }
  precondition(sum == 150)
  precondition(!balances.withReadLock(waitingUntil: { $0.isEmpty }, timeout: .milliseconds(1)) { _ in })
}
wait(for: balances)
precondition(!balances.withWriteLock(when: { $0.isEmpty }) { _ in })
precondition(balances.exchange([:]).count == 2 && balances.snapshot.isEmpty)

/// Waits 50 ms with a predicate that never holds; returns whether the wait succeeded, which must be `false`.
func waitInVain(for turn: Protector<Void>) -> Bool {
  turn.withWriteLock(waitingUntil: { _ in false }, timeout: .milliseconds(50)) { _ in }
}

/// Acquires the write lock if `number` is 0.
///
/// The caller passes `number` in a register, so this register contains 0 when the lock is acquired. Optimised
/// code may take this 0 as the address of the protected `()`.
@inline(never)
func write(_ turn: Protector<Void>, ifZero number: Int) {
  if number == 0 { turn.withWriteLock { _ in } }
}

// In optimised code, the address of a zero-size value is unspecified, and may be a 0 that a register happens
// to contain. Even then, the end of a write section must evaluate the predicate of the waiting thread.
let turn = Protector(())
let isOver = Atomic(false)
let waiting = Task.detached {
  let isServed = waitInVain(for: turn)
  isOver.store(true, ordering: .releasing)
  return isServed
}
while !isOver.load(ordering: .acquiring) { write(turn, ifZero: 0) }
let isServed = await waiting.value
precondition(!isServed)

print("Protectors: \(balances.debugDescription)")
