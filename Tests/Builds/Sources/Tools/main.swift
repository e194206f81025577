import DeadlockDetection
import Exploration
import Synchronization
import UnfairLocks

// With the traits of both tools, threads that the explorer runs tell it which locks they use, and all other threads
// tell the detector.

let reports = Mutex<[DeadlockReport]>([])
DeadlockDetector.action = .call { report in reports.withLock { $0.append(report) } }

final class Locks: Sendable {
  let first = UnfairLock()
  let second = UnfairLock()
  func acquireInOrder() { first.withLock { second.withLock {} } }
  func acquireInReverse() { second.withLock { first.withLock {} } }
}

do throws(ExplorationFailure) {
  try explore { run in
    let locks = Locks()
    let thread = run.thread { locks.acquireInOrder() }
    locks.acquireInReverse()
    thread.join()
  }
  fatalError("the explorer finds no deadlock")
} catch {
  let wait = "waits for UnfairLock (made at main.swift:13), which T1 holds"
  precondition(error.reason.contains(wait), "\(error)")
}
precondition(reports.withLock(\.isEmpty), "the detector watches explored threads")

let locks = Locks()
locks.acquireInOrder()
locks.acquireInReverse()
precondition(reports.withLock { $0.map(\.kind) } == [.possible], "\(reports.withLock { $0 })")
