internal import AtomicProperties
internal import BenchmarkHarness
internal import Dispatch
// Imported for `NSLock` only.
internal import class Foundation.NSLock
internal import LazyInitialization
internal import Protectors
internal import ReadWriteLocks
internal import Synchronization
internal import UnfairLocks

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

extension Suite {
  /// Measures heap memory; the suite is empty if this build can't count allocations.
  static var memory: Suite {
    Suite(
      name: "memory",
      about: "what locks and properties take from the heap, and whether accesses allocate",
      reading:
        "Bytes are what the owner of a block may use; the heap's own few bytes for each block come on"
        + " top. They are"
        + " counted for many at once, so a small lock in an array takes its own size, and an object"
        + " takes its header"
        + " and what the heap rounds up. An access should allocate nothing.",
      contests: HeapUse.isCounted ? [lockMemory, objectMemory, threadMemory, accessMemory] : [])
  }

  private static func contest(
    _ group: String, _ title: String, _ metric: Metric, _ reference: String, _ contestants: [Contestant]
  ) -> Contest {
    Contest(
      group: group, title: title, metric: metric, threads: 1, operationUnit: 1_000, reference: reference,
      contestants: contestants, mostRounds: 3)
  }

  private static var lockMemory: Contest {
    contest(
      "bytes", "a lock", .bytes, LockName.pthreadMutex,
      [
        MemoryTrial.bytes(named: LockName.unfair) { UnfairLock() },
        MemoryTrial.bytes(named: LockName.compact) { CompactReadWriteLock() },
        MemoryTrial.bytes(named: LockName.spin) { SpinReadWriteLock() },
        MemoryTrial.bytes(named: LockName.biased) { BiasedReadWriteLock() },
        MemoryTrial.bytes(named: LockName.posix) { PosixReadWriteLock() },
        MemoryTrial.bytes(named: LockName.dispatch) { DispatchReadWriteLock() },
        MemoryTrial.bytes(named: "Once") { Once() },
        MemoryTrial.bytes(named: LockName.mutex) { Mutex(()) },
        MemoryTrial.bytes(named: LockName.pthreadMutex) { pthread_mutex_t() },
        MemoryTrial.bytes(named: LockName.pthreadReadWrite) { pthread_rwlock_t() },
        MemoryTrial.bytes(named: LockName.nsLock) { NSLock() },
        MemoryTrial.bytes(named: "DispatchQueue") { DispatchQueue(label: "benchmarks.memory") },
      ])
  }

  private static var objectMemory: Contest {
    contest(
      "bytes", "an Int in an object", .bytes, PropertyName.plain,
      [
        MemoryTrial.bytes(named: PropertyName.plain) { PlainCount() },
        MemoryTrial.bytes(named: LockName.protector) { Protector(0) },
        MemoryTrial.bytes(named: "ExclusiveProtector") { ExclusiveProtector(0) },
        MemoryTrial.bytes(named: LockName.compactProtector) {
          LockProtector(0, lock: CompactReadWriteLock())
        },
        MemoryTrial.bytes(named: PropertyName.property) { AtomicProperty(0) },
        MemoryTrial.bytes(named: PropertyName.lockFree) { LockFreeProperty(0) },
        MemoryTrial.bytes(named: PropertyName.queue) { QueueProperty(0) },
        MemoryTrial.bytes(named: "Lazy") { Lazy { 0 } },
        MemoryTrial.bytes(named: PropertyName.mutex) { MutexCount() },
      ])
  }

  private static var threadMemory: Contest {
    let protector = Protector(0)
    let mutex = MutexCount()
    let alone = "does nothing"
    return contest(
      "bytes", "a thread that …", .bytes, alone,
      [
        MemoryTrial.bytesOfThreads(named: alone) {},
        MemoryTrial.bytesOfThreads(named: "locks a Mutex") { mutex.increment() },
        MemoryTrial.bytesOfThreads(named: "reads a Protector") { protector.withReadLock { _ in } },
      ])
  }

  private static var accessMemory: Contest {
    let protector = Protector(0)
    let property = AtomicProperty(0)
    let lockFree = LockFreeProperty(0)
    let queueProperty = QueueProperty(0)
    let queue = SerialQueueCount()
    let mutex = MutexCount()
    let lazy = Lazy { CommandLine.arguments.count }
    return contest(
      "allocations", "an access", .allocations, PropertyName.mutex,
      [
        MemoryTrial.allocations(named: "Protector, read") { protector.withReadLock { _ = $0 } },
        MemoryTrial.allocations(named: "Protector, write") { protector.withWriteLock { $0 += 1 } },
        MemoryTrial.allocations(named: "Protector.snapshot") { _ = protector.snapshot },
        MemoryTrial.allocations(named: "AtomicProperty, +=") { property.value += 1 },
        MemoryTrial.allocations(named: "LockFreeProperty, add") { lockFree.increment() },
        MemoryTrial.allocations(named: "QueueProperty, +=") { queueProperty.value += 1 },
        MemoryTrial.allocations(named: "Lazy.value") { _ = lazy.value },
        MemoryTrial.allocations(named: PropertyName.mutex) { mutex.increment() },
        MemoryTrial.allocations(named: PropertyName.serialQueue) { queue.increment() },
      ])
  }
}
