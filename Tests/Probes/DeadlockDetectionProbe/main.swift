import DeadlockDetection

setAction(.trap)
let value = holding("a lock of the probe") { 1 }
noLockMayBeHeld()
print("DeadlockDetection: \(isOn ? "on" : "off"), value \(value)")
