internal import AtomicProperties
internal import BenchmarkHarness
internal import CAllocationCounter
internal import Dispatch
// Imported for `NSLock` and the types of pthreads only.
internal import Foundation
internal import LazyInitialization
internal import Protectors
internal import ReadWriteLocks
internal import Synchronization
internal import UnfairLocks

/// Counts the allocations and the bytes that `work` takes from the heap, including those of other threads; two
/// counts must not overlap.
private func heapUse(of work: () -> Void) -> allocation_count {
  allocation_counting_start()
  work()
  return allocation_counting_stop()
}

/// Measures the bytes of a value in a large array, including the memory that the value allocates elsewhere.
private func bytes<Value: ~Copyable>(
  _ name: String, of make: @escaping @Sendable () -> Value
) -> Contestant {
  Contestant(name: name) { _, count in
    let values = UnsafeMutablePointer<Value>.allocate(capacity: count)
    let use = heapUse {
      for index in 0..<count { (values + index).initialize(to: make()) }
    }
    values.deinitialize(count: count)
    values.deallocate()
    // The array's memory is the stride times the number of elements. The size of the array's heap block is
    // not used, because the heap rounds it differently for each number of elements.
    return count * MemoryLayout<Value>.stride + Int(use.bytes)
  }
}

/// Measures the average heap memory, in bytes, of threads that have each run `work` and are still alive.
///
/// Stacks are not on the heap and don't count. The bytes are measured only once, because later threads reuse
/// the memory of earlier threads.
private func bytesOfThreads(_ name: String, _ work: @escaping @Sendable () -> Void) -> Contestant {
  // A few of the threads may reuse the memory of ended threads. With 64, this hardly changes the average.
  let count = 64
  let bytes = Lazy {
    var pool: WorkerPool?
    let use = heapUse {
      let threads = WorkerPool(count: count)
      threads.run(on: count) { _ in work() }
      pool = threads
    }
    _ = pool
    return Int(use.bytes) / count
  }
  return Contestant(name: name) { _, count in bytes.value * count }
}

/// Counts the allocations of an access: the least of three counts, because other threads may allocate.
private func allocations(_ name: String, of access: @escaping @Sendable () -> Void) -> Contestant {
  Contestant(name: name) { _, count in
    let counts = (0..<3).map { _ in heapUse { for _ in 0..<count { access() } }.allocations }
    return Int(counts.min()!)
  }
}

extension Suite {
  /// Measures heap memory; the suite is empty if this build can't count allocations.
  static var memory: Suite {
    Suite(
      name: "memory",
      about: "what locks and properties take from the heap, and whether accesses allocate",
      reading:
        "Bytes are what the owner of a block may use; the heap's own few bytes for each block come on top. They"
        + " are counted for many at once, so a small lock in an array takes its own size, and an object takes"
        + " its header and what the heap rounds up. An access should allocate nothing.",
      contests: allocation_counting_is_available() == 0
        ? [] : [lockMemory, objectMemory, threadMemory, accessMemory])
  }

  private static func contest(
    _ title: String, _ metric: Metric, _ reference: String, _ contestants: [Contestant]
  ) -> Contest {
    Contest(
      group: metric.rawValue, title: title, metric: metric, operationUnit: 1_000, reference: reference,
      contestants: contestants, mostRounds: 3)
  }

  private static var lockMemory: Contest {
    contest(
      "a lock", .bytes, "pthread_mutex",
      [
        bytes("UnfairLock") { UnfairLock() },
        bytes("CompactReadWriteLock") { CompactReadWriteLock() },
        bytes("SpinReadWriteLock") { SpinReadWriteLock() },
        bytes("BiasedReadWriteLock") { BiasedReadWriteLock() },
        bytes("PosixReadWriteLock") { PosixReadWriteLock() },
        bytes("DispatchReadWriteLock") { DispatchReadWriteLock() },
        bytes("Once") { Once() },
        bytes("Synchronization.Mutex") { Mutex(()) },
        bytes("pthread_mutex") { pthread_mutex_t() },
        bytes("pthread_rwlock") { pthread_rwlock_t() },
        bytes("NSLock") { NSLock() },
        bytes("DispatchQueue") { DispatchQueue(label: "benchmarks.memory") },
      ])
  }

  private static var objectMemory: Contest {
    contest(
      "an Int in an object", .bytes, "stored field",
      [
        bytes("stored field") { PlainCount() },
        bytes("Protector") { Protector(0) },
        bytes("ExclusiveProtector") { ExclusiveProtector(0) },
        bytes("Protector on Compact") { LockProtector(0, lock: CompactReadWriteLock()) },
        bytes("AtomicProperty") { AtomicProperty(0) },
        bytes("LockFreeProperty") { LockFreeProperty(0) },
        bytes("QueueProperty") { QueueProperty(0) },
        bytes("Lazy") { Lazy { 0 } },
        bytes("Synchronization.Mutex") { MutexCount() },
      ])
  }

  private static var threadMemory: Contest {
    let protector = Protector(0)
    let mutex = MutexCount()
    return contest(
      "a thread that …", .bytes, "does nothing",
      [
        bytesOfThreads("does nothing") {},
        bytesOfThreads("locks a Mutex") { mutex.increment() },
        bytesOfThreads("reads a Protector") { protector.withReadLock { _ in } },
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
      "an access", .allocations, "Synchronization.Mutex",
      [
        allocations("Protector, read") { protector.withReadLock { _ = $0 } },
        allocations("Protector, write") { protector.withWriteLock { $0 += 1 } },
        allocations("Protector.value") { _ = protector.value },
        allocations("AtomicProperty, +=") { property.value += 1 },
        allocations("LockFreeProperty, add") { lockFree.increment() },
        allocations("QueueProperty, +=") { queueProperty.value += 1 },
        allocations("Lazy.value") { _ = lazy.value },
        allocations("Synchronization.Mutex") { mutex.increment() },
        allocations("DispatchQueue.sync") { queue.increment() },
      ])
  }
}
