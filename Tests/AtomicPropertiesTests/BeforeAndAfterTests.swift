import AtomicProperties
import Dispatch
import Synchronization
import TestSupport
import Testing

/// Shows the bug that the properties prevent: the code "before" compiles and loses an increment, the code
/// "after" compiles and loses none.
///
/// In "before" two threads meet between the getter and the setter, so that the bug shows each time.
@Suite struct BeforeAndAfterTests {
  /// A wrapper with a lock in the getter and in the setter, as many programs have it.
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

  /// A getter that loads an atomic, and a setter that stores it.
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

  /// `sync` in the getter and in the setter.
  private final class SyncAndSync: @unchecked Sendable {
    // Sound, and `Sendable`: `storage` is accessed only on `queue`.
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
