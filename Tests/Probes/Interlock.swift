import Interlock

// One import makes the members of all modules visible.
let names = LockProtector(["Ann"], lock: PosixReadWriteLock())
let count = AtomicProperty(0)
let lifecycle = Lifecycle(label: "probe")
lifecycle.activate()
lifecycle.whileActive { names.withWriteLock { $0.append("Bob") } }
lifecycle.invalidate()
count.value += names.value.count
precondition(count.value == 2)
