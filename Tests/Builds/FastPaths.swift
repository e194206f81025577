// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import AtomicProperties
import Interlock
import Synchronization

// Each function of this client calls one primitive, whose fast path is inlined into the function.
// FastPaths.txt lists the atomic instructions and barriers of these functions, as compiled for arm64.

public final class Guarded: Sendable {
  let unfair = ExclusiveProtector(0)
  let compact = LockProtector(0, lock: CompactReadWriteLock())
  let spin = LockProtector(0, lock: SpinReadWriteLock())
  let biased = Protector(0)
  let once = Once()
  let flag = LockFreeProperty(false)
  let lifecycle = Lifecycle(label: "Guarded")
}

@inline(never)
public func unfairLock(_ guarded: Guarded) { guarded.unfair.withLock { $0 += 1 } }

@inline(never)
public func compactRead(_ guarded: Guarded) -> Int { guarded.compact.withReadLock { $0 } }

@inline(never)
public func compactWrite(_ guarded: Guarded) { guarded.compact.withWriteLock { $0 += 1 } }

@inline(never)
public func spinRead(_ guarded: Guarded) -> Int { guarded.spin.withReadLock { $0 } }

@inline(never)
public func biasedRead(_ guarded: Guarded) -> Int { guarded.biased.withReadLock { $0 } }

@inline(never)
public func biasedWrite(_ guarded: Guarded) { guarded.biased.withWriteLock { $0 += 1 } }

@inline(never)
public func onceIsCompleted(_ guarded: Guarded) -> Bool { guarded.once.isComplete }

@inline(never)
public func delivery(_ guarded: Guarded) -> Int? { guarded.lifecycle.whileActive { 1 } }

@inline(never)
public func acquiringLoad(_ guarded: Guarded) -> Bool { guarded.flag.value }

@inline(never)
public func releasingStore(_ guarded: Guarded) { guarded.flag.store(true, ordering: .releasing) }
