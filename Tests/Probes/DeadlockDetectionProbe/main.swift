import DeadlockDetection

DeadlockDetector.setAction(.trap)
let value = DeadlockDetector.holding("a lock of the probe") { 1 }
DeadlockDetector.noLockMayBeHeld()
print("DeadlockDetection: \(DeadlockDetector.isOn ? "on" : "off"), value \(value)")
