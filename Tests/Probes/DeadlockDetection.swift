import DeadlockDetection

DeadlockDetector.action = .trap
precondition(DeadlockDetector.holding("a lock of the probe") { 1 } == 1)
