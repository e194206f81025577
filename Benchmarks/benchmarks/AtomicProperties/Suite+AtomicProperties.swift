internal import AtomicProperties
internal import BenchmarkHarness

/// The names of the implementations in the suite "atomic properties", as its result tables show them.
enum PropertyName {
  static let plain = "stored field"
  static let lockFree = "LockFreeProperty"
  static let atomic = "Synchronization.Atomic"
  static let property = "AtomicProperty"
  static let mutex = "Synchronization.Mutex"
  static let queue = "QueueProperty"
  static let queueModify = "QueueProperty.modify"
  static let serialQueue = "DispatchQueue.sync"
}

extension Suite {
  /// Measures reading and incrementing a property that is safe to share.
  static var atomicProperties: Suite {
    Suite(
      name: "atomic properties", about: "an integer property, read and incremented",
      contests: CountAccess.allCases.map { access in
        Contest(
          group: "atomic properties", title: access.rawValue, metric: .cost, threads: 1, operationUnit: 100,
          reference: PropertyName.mutex,
          contestants: [
            CountTrial(PlainCount(), access).contestant(named: PropertyName.plain),
            CountTrial(LockFreeProperty(0), access).contestant(named: PropertyName.lockFree),
            CountTrial(AtomicCount(), access).contestant(named: PropertyName.atomic),
            CountTrial(AtomicProperty(0), access).contestant(named: PropertyName.property),
            CountTrial(MutexCount(), access).contestant(named: PropertyName.mutex),
            CountTrial(QueueProperty(0), access).contestant(named: PropertyName.queue),
            CountTrial(ModifiedQueueCount(), access).contestant(named: PropertyName.queueModify),
            CountTrial(SerialQueueCount(), access).contestant(named: PropertyName.serialQueue),
          ])
      })
  }
}
