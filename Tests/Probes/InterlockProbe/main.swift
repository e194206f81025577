import Interlock

// A client of the product Interlock: one import makes the members of all modules visible.

let lock = UnfairLock()
let state = SpinReadWriteLock()
let names = LockProtector(["Ann"], lock: PosixReadWriteLock())

let table = Lazy { [1, 2, 3] }
let count = AtomicProperty(0)
count.value += table.value.count
precondition(count.value == 3)

let isSorted = lock.withLock {
  state.withReadLock {
    names.withWriteLock { names in
      names.append("Bob")
      return names == names.sorted()
    }
  }
}
precondition(isSorted)

let lifecycle = Lifecycle(label: "InterlockProbe")
lifecycle.activate()
precondition(lifecycle.whileActive { names.snapshot.count } == 2)
lifecycle.invalidate()

print("Interlock: \(names.debugDescription)")
