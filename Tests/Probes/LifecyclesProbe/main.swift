import Lifecycles

// A client of the product Lifecycles and of nothing else: what it needs to compile and to load is what a client needs.

let lifecycle = Lifecycle("LifecyclesProbe")
precondition(lifecycle.whileActive { 1 } == nil)
precondition(lifecycle.activate {})
precondition(!lifecycle.activate())
precondition(lifecycle.whileActive { 2 } == 2)
precondition(lifecycle.invalidate())
precondition(lifecycle.whileActive { 3 } == nil)

print("Lifecycles: \(lifecycle.label) is \(lifecycle.state)")
