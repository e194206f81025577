import AtomicProperties
import Dispatch
import TestSupport
import Testing

/// Tests every misuse that traps; each test runs in a process of its own.
@Suite struct PropertyCrashTests {
  @Test func anAtomicPropertyInsideItsModificationTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let property = AtomicProperty(1)
      property.update { $0 += property.value }
    }
    #expect(
      result?.standardErrorContent.trap
        == "AtomicProperty: accessed inside an access on the same thread, which may be that of a task suspended at an await; "
        + "use the value that is being changed, and await before or after the access")
  }

  @Test func anAtomicPropertyPassedInoutTwiceTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let property = AtomicProperty(1)
      swap(&property.value, &property.value)
    }
    #expect(
      result?.standardErrorContent.trap?
        .hasPrefix("AtomicProperty: accessed inside an access on the same thread") == true)
  }

  @Test func aLockFreePropertyOfSixteenBytesTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = LockFreeProperty(UInt128(1))
    }
    #expect(
      result?.standardErrorContent.trap
        == "LockFreeProperty: made for UInt128, which takes more than 8 bytes; use AtomicProperty")
  }

  @Test(arguments: [false, true]) func aQueuePropertyOnItsOwnQueueTraps(isInsideModification: Bool) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [isInsideModification = isInsideModification as Bool] in
      let queue = DispatchQueue(label: "own")
      let property = QueueProperty(1, on: queue)
      if isInsideModification {
        property.update { $0 += property.value }
      } else {
        queue.sync { _ = property.value }
      }
    }
    #expect(
      result?.standardErrorContent.trap
        == "QueueProperty: used on its own queue 'own', which would wait for itself; "
        + "call from another queue, or use the value that update(_:) passes in")
  }

  /// The modification may run code on another queue but on the same thread, which accesses the property again.
  ///
  /// The lock identifies its owner by the thread, so it detects the recursion.
  @Test(arguments: [false, true]) func aQueuePropertyInsideItsModificationTraps(isOnAnotherQueue: Bool) async
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [isOnAnotherQueue = isOnAnotherQueue as Bool] in
      let property = QueueProperty(1)
      if isOnAnotherQueue {
        property.update { _ in DispatchQueue(label: "other").sync { _ = property.value } }
      } else {
        swap(&property.value, &property.value)
      }
    }
    #expect(
      result?.standardErrorContent.trap
        == "QueueProperty: used inside its own modification, on the same thread, which may be that of a task suspended at an await; "
        + "use the value that is being modified, and await before or after the modification")
  }

  @Test func aQueuePropertyOffItsQueueTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      QueueProperty(1, on: DispatchQueue(label: "own")).preconditionOnQueue()
    }
    #expect(
      result?.standardErrorContent.trap == "QueueProperty: used off the queue 'own' where it must be on it; "
        + "enter the queue first, with sync or async")
  }

  @Test func aQueuePropertyThatMustNotBeOnItsQueueTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = DispatchQueue(label: "own")
      let property = QueueProperty(1, on: queue)
      queue.sync { property.preconditionNotOnQueue() }
    }
    #expect(
      result?.standardErrorContent.trap
        == "QueueProperty: used on the queue 'own' where it must not be on it; "
        + "leave the queue first, with async to another one")
  }
}
