import AtomicProperties
import Dispatch
import TestSupport
import Testing

@Suite struct QueuePropertyTests {
  @Test func itIsReadAndAssigned() {
    let property = QueueProperty("a")
    #expect(property.value == "a")
    property.value = "b"
    #expect(property.exchange("c") == "b")
    #expect(property.wrappedValue == "c")
    #expect(property.projectedValue === property)
    #expect(property.compareExchange(expected: "x", desired: "d").exchanged == false)
    #expect(property.compareExchange(expected: "c", desired: "d").original == "c")
    #expect(property.value == "d")
  }

  @Test("A property that has ended leaves nothing in its queue, which a later one could take for its own")
  func endedPropertiesAreForgotten() {
    let queue = DispatchQueue(label: "ended")
    let sum = Unguarded(0)
    // The queue key of `other` often gets the address of the deallocated property's key. An entry that the
    // deallocated property left on `queue` would then make `other` trap, as if used on its own queue.
    do {
      let ended = (0..<100).map { QueueProperty($0, on: queue) }
      #expect(ended[1].value == 1)
    }
    let others = (0..<100).map { QueueProperty($0) }
    queue.sync { for other in others { sum.value += other.value } }
    #expect(sum.value == 4_950)
  }

  @Test func theWrapperTakesAQueue() {
    final class Holder: @unchecked Sendable {
      // `Holder` is `@unchecked Sendable`, which is sound: the wrapper's storage is a `var`, but nothing
      // assigns it.
      @QueueProperty var own = 0
      @QueueProperty(on: DispatchQueue(label: "given")) var given = 0
    }
    let holder = Holder()
    race(threads: 4) { _ in
      for _ in 0..<250 {
        holder.own += 1
        holder.given += 1
      }
    }
    #expect(holder.own == 1_000)
    #expect(holder.given == 1_000)
  }

  @Test func updateRunsOnTheQueue() {
    let property = QueueProperty([1])
    let count = property.update { numbers in
      property.preconditionOnQueue()
      numbers.append(2)
      return numbers.count
    }
    #expect(count == 2)
  }

  @Test func updatePassesNoncopyableResults() {
    let property = QueueProperty(5)
    let token = property.update { TrackedToken(Lifetimes(), number: $0) }
    let number = token.number
    #expect(number == 5)
  }

  /// The queue runs no other work during a compound assignment.
  ///
  /// Afterwards it runs, in order, the work that was added meanwhile.
  @Test func compoundAssignmentKeepsOtherWorkOffTheQueue() {
    let queue = DispatchQueue(label: "stopped")
    let property = QueueProperty<[Int]>([], on: queue)
    let ran = RelaxedCounter()
    func change(_ numbers: inout [Int]) {
      queue.async { ran.add(1) }
      for _ in 0..<100 { PlatformThread.yield() }
      numbers.append(ran.value)
    }
    change(&property.value)
    let seen = property.value
    #expect(seen == [0])
    queue.sync {}
    #expect(ran.value == 1)
  }

  @Test func collectionsAreNotCopied() {
    var array = Array(0..<10)
    array.reserveCapacity(100)
    let property = QueueProperty(consume array)
    let before = property.update { address(of: &$0) }
    property.update { $0.append(10) }
    property.value.append(11)
    property.wrappedValue += [12]
    let after = property.update { address(of: &$0) }
    #expect(before == after)
    #expect(property.value.count == 13)
  }

  @Test func propertiesOfOneQueueDoNotMixUp() {
    let queue = DispatchQueue(label: "shared")
    let first = QueueProperty(1, on: queue)
    do {
      let second = QueueProperty(2, on: queue)
      #expect(second.value == 2)
    }
    #expect(first.value == 1)
    queue.sync { first.preconditionOnQueue() }
  }

  @Test func noIncrementOnAConcurrentQueueIsLost() {
    let property = QueueProperty(0, on: DispatchQueue(label: "concurrent", attributes: .concurrent))
    race(threads: 4) { _ in
      for _ in 0..<250 {
        property.value += 1
        property.update { $0 += 1 }
      }
    }
    #expect(property.value == 2_000)
  }

  @Test("An access to a property of a concurrent queue waits for the work before it")
  func accessesAreBarriers() {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let property = QueueProperty(0, on: queue)
    let began = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    let hasEnded = AtomicProperty(false)
    queue.async {
      began.signal()
      mayEnd.wait()
      hasEnded.value = true
    }
    began.wait()
    let isAboutToAccess = DispatchSemaphore(value: 0)
    let accessed = DispatchSemaphore(value: 0)
    let wasInOrder = AtomicProperty(false)
    let thread = PlatformThread {
      isAboutToAccess.signal()
      property.update { _ in wasInOrder.value = hasEnded.value }
      accessed.signal()
    }
    isAboutToAccess.wait()
    // A correct access is still waiting for the earlier work. The timeout gives a faulty access, which does
    // not wait, enough time to run.
    _ = accessed.wait(timeout: .now() + .seconds(1))
    mayEnd.signal()
    thread.join()
    #expect(wasInOrder.value)
  }

  private func address(of array: inout [Int]) -> UInt {
    array.withUnsafeMutableBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }
}
