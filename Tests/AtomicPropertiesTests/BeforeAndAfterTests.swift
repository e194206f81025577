import AtomicProperties
import Dispatch
import Synchronization
import TestSupport
import Testing

/// Shows the bug that atomic properties prevent: two threads execute `+= 1`, and one increment is lost.
///
/// Each incorrect class makes the two threads wait for each other between its getter and its setter, so that
/// the bug shows each time. For each incorrect class, another test shows that this package's property loses
/// no increment.
@Suite struct BeforeAndAfterTests {
  /// A number whose getter and setter each acquire a lock, so `+=` takes two critical sections.
  private final class GetterAndSetter: Sendable {
    private let storage = AtomicProperty(0)
    private let meeting = MeetingPoint(parties: 2)

    var value: Int {
      get {
        let value = storage.value
        meeting.meet()  // Now both threads have read the same value.
        return value
      }
      set { storage.value = newValue }
    }

    var end: Int { storage.value }
  }

  @Test func aGetterAndASetterLoseAnIncrement() {
    let property = GetterAndSetter()
    race(threads: 2) { _ in property.value += 1 }
    #expect(property.end == 1)
  }

  @Test func anAtomicPropertyLosesNone() {
    let property = AtomicProperty(0)
    race(threads: 2) { _ in property.value += 1 }
    #expect(property.value == 2)
  }

  /// A number whose getter loads an atomic and whose setter stores it, so `+=` is not one atomic step.
  private final class LoadAndStore: Sendable {
    private let storage = LockFreeProperty(0)
    private let meeting = MeetingPoint(parties: 2)

    var value: Int {
      get {
        let value = storage.load(ordering: .relaxed)
        meeting.meet()  // Now both threads have read the same value.
        return value
      }
      set { storage.store(newValue, ordering: .relaxed) }
    }

    var end: Int { storage.value }
  }

  @Test func aLoadAndAStoreLoseAnIncrement() {
    let property = LoadAndStore()
    race(threads: 2) { _ in property.value += 1 }
    #expect(property.end == 1)
  }

  @Test func aLockFreePropertyLosesNone() {
    let property = LockFreeProperty(0)
    race(threads: 2) { _ in property.wrappingAdd(1, ordering: .relaxed) }
    #expect(property.value == 2)
  }

  /// A number whose getter and setter each call `sync` on a queue, so `+=` takes two work items.
  private final class SyncAndSync: @unchecked Sendable {
    // `SyncAndSync` is `@unchecked Sendable`, which is sound: `storage` is accessed only on `queue`.
    private let queue = DispatchQueue(label: "before")
    private var storage = 0
    private let meeting = MeetingPoint(parties: 2)

    var value: Int {
      get {
        let value = queue.sync { storage }
        meeting.meet()  // Now both threads have read the same value.
        return value
      }
      set { queue.sync { storage = newValue } }
    }

    var end: Int { queue.sync { storage } }
  }

  @Test func twoPiecesOfWorkLoseAnIncrement() {
    let property = SyncAndSync()
    race(threads: 2) { _ in property.value += 1 }
    #expect(property.end == 1)
  }

  @Test func aQueuePropertyLosesNone() {
    let property = QueueProperty(0)
    race(threads: 2) { _ in property.value += 1 }
    #expect(property.value == 2)
  }
}
