// The rows of the tables in Migrating.md, before and after. What only Apple's systems have is left to them.
import AsyncLocks
import AtomicProperties
import Dispatch
import Foundation
import Jobs
import LazyInitialization
import Protectors
import ReadWriteLocks
import Synchronization
import UnfairLocks

#if canImport(Darwin)
  import os
#endif

// MARK: From a lock

let names = ExclusiveProtector<[String]>([])

#if canImport(Darwin)
  func oldUnfairLock(_ lock: UnsafeMutablePointer<os_unfair_lock>, _ names: inout [String]) {
    os_unfair_lock_lock(lock)
    names.append("Ann")
    os_unfair_lock_unlock(lock)
  }

  func oldSynchronized(_ object: AnyObject, _ body: () -> Void) {
    objc_sync_enter(object)
    body()
    objc_sync_exit(object)
  }

  func oldAllocatedLock() {
    let lock = OSAllocatedUnfairLock(initialState: [String]())
    lock.withLock { $0.append("Ann") }
    lock.withLockUnchecked { $0.append("Ann") }
    let plain = OSAllocatedUnfairLock()
    plain.precondition(.notOwner)
  }
#endif

func newLock() { names.withLock { $0.append("Ann") } }

func oldMutex(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, _ names: inout [String]) {
  pthread_mutex_lock(mutex)
  names.append("Ann")
  pthread_mutex_unlock(mutex)
}

func oldTry(_ lock: NSLock, _ names: inout [String]) {
  guard lock.try() else { return }
  names.append("Ann")
  lock.unlock()
}
func newTry() { _ = names.withLockIfAvailable { $0.append("Ann") } }

func oldTimeout(_ lock: NSLock, _ names: inout [String]) {
  guard lock.lock(before: Date(timeIntervalSinceNow: 5)) else { return }
  names.append("Ann")
  lock.unlock()
}
func newTimeout() throws { try names.withLock(timeout: .seconds(5)) { $0.append("Ann") } }

let oldValue = Mutex(["Ann"])
let newValue = ExclusiveProtector(["Ann"])

final class Document { var text = "" }
func newUnchecked(_ document: sending Document) -> Int {
  ExclusiveProtector<Document?>(nil).withLock(sending: document) { value, document in
    value = document
    return 1
  }
}

final class Counter: Sendable {
  let lock = UnfairLock()
  func needsLock() { lock.precondition(.owner) }
}

// MARK: A recursive lock

final class Depths: Sendable {
  private let depths = ExclusiveProtector<[String: Int]>([:])

  func insert(_ path: String) { depths.withLock { Self.insert(path, into: &$0) } }

  private static func insert(_ path: String, into depths: inout [String: Int]) {
    guard let slash = path.lastIndex(of: "/") else { return }
    insert(String(path[..<slash]), into: &depths)
    depths[path] = depths.count
  }
}

// MARK: From NSCondition

func oldCondition(_ condition: NSCondition, _ messages: inout [String], until end: Date) -> String? {
  condition.lock()
  defer { condition.unlock() }
  while messages.isEmpty {
    if !condition.wait(until: end) { return nil }
  }
  return messages.removeFirst()
}
func newCondition() -> String { names.withLock(waitingUntil: { !$0.isEmpty }) { $0.removeFirst() } }
func newConditionWithTimeout() -> String? {
  try? names.withLock(waitingUntil: { !$0.isEmpty }, timeout: .seconds(5)) { $0.removeFirst() }
}
func newConditionLock(_ state: Protector<Int>) { state.withWriteLock(waitingUntil: { $0 == 2 }) { $0 = 3 } }

// MARK: From DispatchSemaphore

func oldLimit(_ limit: DispatchSemaphore, _ work: () -> Void) {
  limit.wait()
  work()
  limit.signal()
}
let free = ExclusiveProtector(4)
func newLimit(_ work: () -> Void) {
  free.withLock(waitingUntil: { $0 > 0 }) { $0 -= 1 }
  work()
  free.withLock { $0 += 1 }
}
let limit = AsyncSemaphore(permits: 4)
func newLimitOfTasks(_ work: () async -> Void) async { await limit.withPermit { await work() } }

let answer = Protector<String?>(nil)
func newSignal() -> String? { answer.withReadLock(waitingUntil: { $0 != nil }) { $0 } }
func newSignalOfTasks() async throws -> String? {
  try await answer.withReadLock(waitingUntil: { $0 != nil }) { $0 }
}
func signal(_ work: () -> String) { answer.withWriteLock { $0 = work() } }

// MARK: From waits of tasks, and from DispatchGroup

let isOpen = Protector(false)
func newGate() async throws { try await isOpen.withReadLock(waitingUntil: { $0 }) { _ in } }

actor OldLock {
  private var names: [String] = []
  func add(_ name: String) { names.append(name) }
}
func newActor() { names.withLock { $0.append("Ann") } }

func newStream() async throws {
  for await isOpen in isOpen.values(of: { $0 }) where isOpen { break }
}
func newMailbox(_ mailbox: Mailbox<String>) async throws { _ = try await mailbox.send("Ann") }

func newNotify(_ job: @escaping @Sendable () -> Void) {
  withJobs {
    $0.add { job() }
  } completion: {
    @MainActor in
    print("all have ended")
  }
}
func newWait(_ jobs: [@Sendable () -> Void]) { jobs.concurrentForEach { $0() } }

// MARK: From pthread_rwlock_t, dispatch_once, lazy var, queues

func oldReadWriteLock(_ lock: UnsafeMutablePointer<pthread_rwlock_t>, _ names: [String]) -> Int {
  pthread_rwlock_rdlock(lock)
  defer { pthread_rwlock_unlock(lock) }
  return names.count
}
let kept = LockProtector(["Ann"], lock: PosixReadWriteLock())
let ordered = LockProtector(["Ann"], lock: DispatchReadWriteLock())

final class Logger: Sendable {
  private let started = Once()
  func start(_ startLogging: () throws -> Void) throws { try started.run { try startLogging() } }
}

final class OldText {
  lazy var words = text.split(separator: " ").map(String.init)
  let text = ""
}
final class Text: Sendable {
  let words: Lazy<[String]>
  private let cell = OnceCell<Int>()

  init(_ text: String) { words = Lazy { text.split(separator: " ").map(String.init) } }
  var count: Int { cell.value { words.value.count } }
}

let queue = DispatchQueue(label: "pages", attributes: .concurrent)
let pages = Protector<[String: String]>([:])
func newRead(_ name: String) -> String? { pages.withReadLock { $0[name] } }
func newBarrier(_ name: String, _ page: String) { pages.withWriteLock { $0[name] = page } }
let queued = QueueProperty(["Ann"], on: DispatchQueue(label: "names"))

// MARK: From atomics and observed properties

let number = LockFreeProperty(0)
func newAtomic() -> Int {
  number.update(ordering: .relaxed) { $0 *= 2 }
  return number.wrappingAdd(1, ordering: .relaxed).oldValue
}
let property = AtomicProperty(0)
func newSubject() -> Int {
  property.value = 1
  property.value += 1
  property.update { $0 += 1 }
  return property.exchange(2)
}
