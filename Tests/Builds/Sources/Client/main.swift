// Uses each primitive from several threads at the same time. The fast paths are compiled into this program,
// and call the slow paths in the library.

import Dispatch
import Interlock

let threads = 4
let rounds = 20_000

final class Counts: Sendable {
  let atomic = AtomicProperty(0)
  let queue = QueueProperty(0)
  let protected = Protector(0)
  let exclusive = ExclusiveProtector(0)
  let compact = LockProtector(0, lock: CompactReadWriteLock())
  let spin = LockProtector(0, lock: SpinReadWriteLock())
  let posix = LockProtector(0, lock: PosixReadWriteLock())
  let made = AtomicProperty(0)
  let delivered = AtomicProperty(0)
  let lifecycle = Lifecycle(label: "dynamic client")
}

let counts = Counts()
let lazy = Lazy { () -> Int in
  counts.made.value += 1
  return counts.made.value
}
counts.lifecycle.activate()

DispatchQueue.concurrentPerform(iterations: threads) { _ in
  for round in 1...rounds {
    counts.atomic.value += 1
    counts.protected.withWriteLock { $0 += 1 }
    counts.exclusive.withLock { $0 += 1 }
    counts.compact.withWriteLock { $0 += 1 }
    counts.spin.withWriteLock { $0 += 1 }
    if round % 100 == 0 {
      counts.queue.value += 1
      counts.posix.withWriteLock { $0 += 1 }
    }
    let seen = (
      counts.protected.withReadLock { $0 }, counts.compact.withReadLock { $0 },
      counts.spin.withReadLock { $0 }
    )
    precondition(seen.0 >= round && seen.1 >= round && seen.2 >= round && lazy.value == 1)
    counts.lifecycle.whileActive { counts.delivered.value += 1 }
  }
}
counts.lifecycle.invalidate()

let all = threads * rounds
precondition(counts.atomic.value == all)
precondition(counts.protected.value == all)
precondition(counts.exclusive.withLock { $0 } == all)
precondition(counts.compact.value == all)
precondition(counts.spin.value == all)
precondition(counts.queue.value == all / 100)
precondition(counts.posix.value == all / 100)
precondition(counts.delivered.value == all)

// Misuse must trap in every build. With the argument `misuse`, the program acquires a lock that its thread
// already holds.
if CommandLine.arguments.contains("misuse") {
  counts.exclusive.withLock { _ in counts.exclusive.withLock { $0 = 0 } }
}
