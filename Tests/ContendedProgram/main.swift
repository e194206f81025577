// A program with three locks, which cause 70, 25 and 5 % of the time that its threads wait.
//
// The environment variable `INTERLOCK_CONTENTION` starts a recording, which the program itself does not do.
// At its end the program prints how long its threads have waited for each lock, in nanoseconds. It measures
// these times itself, so that a test can compare them with the report.
//
// With the argument `stuck`, the program behaves differently: seven threads wait forever, because an eighth
// one never releases a lock. With the argument `trap`, the program traps as soon as these seven threads wait.
// With the argument `exit`, its main thread and then its last other thread end by `pthread_exit`.

import ContentionProfiles
import Foundation
import Protectors
import Synchronization
import InterlockCore
import UnfairLocks

/// A lock that measures how long threads wait for it.
///
/// A holder keeps the lock until another thread has waited for a given time.
final class Room: Sendable {
  private let lock = UnfairLock()
  private let isHeld = Atomic(false)
  private let arrival = Atomic<UInt64>(0)
  private let waited = Atomic<UInt64>(0)

  /// The time that threads have waited for the lock, in nanoseconds.
  var total: UInt64 { waited.load(ordering: .relaxed) }

  /// Holds the lock until another thread has waited for `nanoseconds`.
  @inline(never)
  func keep(_ nanoseconds: UInt64) {
    lock.withLock {
      isHeld.store(true, ordering: .releasing)
      while true {
        let arrival = arrival.load(ordering: .acquiring)
        if arrival != 0, MonotonicClock.now &- arrival >= nanoseconds { break }
        MonotonicClock.sleep(.microseconds(50))
      }
      isHeld.store(false, ordering: .relaxed)
      self.arrival.store(0, ordering: .relaxed)
    }
  }

  /// Waits until another thread holds the lock, acquires the lock after that thread, and adds the waiting
  /// time to `total`.
  @inline(never)
  func visit() {
    while !isHeld.load(ordering: .acquiring) { MonotonicClock.sleep(.microseconds(50)) }
    let start = MonotonicClock.now
    arrival.store(start, ordering: .releasing)
    let end = lock.withLock { MonotonicClock.now }
    waited.wrappingAdd(end - start, ordering: .relaxed)
  }
}

/// Two protectors, for which seven threads wait forever because an eighth thread never ends its section.
enum Office {
  static let accounts = ExclusiveProtector(0)
  static let ledger = Protector(0)

  /// Holds the lock of the ledger forever, as if it wrote to a disk that does not answer.
  @inline(never)
  static func archiveLedger(_ whileHeld: () -> Void) {
    ledger.withWriteLock { _ in
      whileHeld()
      while true { MonotonicClock.sleep(.seconds(1)) }
    }
  }

  @inline(never)
  static func settle() { accounts.withLock { sum in sum += ledger.withReadLock { $0 } } }
  @inline(never)
  static func deposit() { accounts.withLock { $0 += 1 } }
  @inline(never)
  static func audit() { ledger.withWriteLock { $0 += 1 } }

  /// Starts eight threads, and returns when seven of them wait.
  static func getStuck() {
    ContentionProfile.name(accounts, "accounts")
    ContentionProfile.name(ledger, "ledger")
    func start(_ threads: Int, _ body: @escaping @Sendable () -> Void) {
      let waiting = ContentionProfile.report().current.count
      for _ in 0..<threads { PlatformThread(body).detach() }
      while ContentionProfile.report().current.count < waiting + threads {
        MonotonicClock.sleep(.milliseconds(1))
      }
    }
    let isHeld = Atomic(false)
    PlatformThread { archiveLedger { isHeld.store(true, ordering: .releasing) } }.detach()
    while !isHeld.load(ordering: .acquiring) { MonotonicClock.sleep(.milliseconds(1)) }
    start(1) { settle() }
    start(3) { deposit() }
    start(3) { audit() }
  }
}

let argument = CommandLine.arguments.dropFirst().first
if let argument, argument != "exit" {
  // Unblocks SIGTERM, with which a test ends this program: Foundation starts programs with blocked signals.
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGTERM)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  Office.getStuck()
  print("stuck")
  fflush(nil)
  if argument == "trap" { fatalError("the program has given up") }
  while true { MonotonicClock.sleep(.milliseconds(50)) }
}

let rooms = [Room(), Room(), Room()]
let shares = [0.70, 0.25, 0.05]

/// Holds the first lock; `findDocument` waits for that lock.
///
/// Each of the three locks has such a pair of functions. Tests expect their names in the contention profile.
@inline(never)
func rebuildIndex(_ nanoseconds: UInt64) { rooms[0].keep(nanoseconds) }
@inline(never)
func findDocument() { rooms[0].visit() }
@inline(never)
func writeBackup(_ nanoseconds: UInt64) { rooms[1].keep(nanoseconds) }
@inline(never)
func saveDocument() { rooms[1].visit() }
@inline(never)
func rotateLog(_ nanoseconds: UInt64) { rooms[2].keep(nanoseconds) }
@inline(never)
func appendToLog() { rooms[2].visit() }

if argument == "exit" {
  PlatformThread { findDocument() }.detach()
  PlatformThread { rebuildIndex(2_000_000) }.detach()
  pthread_exit(nil)
}

let holders = [rebuildIndex, writeBackup, rotateLog]
let visitors = [findDocument, saveDocument, appendToLog]

// Each iteration makes a thread wait for the lock that is furthest below its intended share of the waiting
// time. The measured shares thus approach `shares`, however long individual waits take.
for _ in 0..<200 {
  let sum = max(1, rooms.reduce(0) { $0 + Double($1.total) })
  let room = rooms.indices.max { left, right in
    shares[left] - Double(rooms[left].total) / sum < shares[right] - Double(rooms[right].total) / sum
  }!
  let (hold, visit) = (holders[room], visitors[room])
  let holder = PlatformThread { hold(2_000_000) }
  let visitor = PlatformThread { visit() }
  visitor.join()
  holder.join()
}
print(rooms.map { "\($0.total)" }.joined(separator: " "))
