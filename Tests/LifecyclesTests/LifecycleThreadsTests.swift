import InterlockCore
import TestSupport
import Testing

@testable import Lifecycles

/// Tests activations, deliveries and invalidations of one lifecycle on several threads.
@Suite struct LifecycleThreadsTests {
  private struct Failure: Error {}

  /// Sleeps for a moment, so that another thread that acts too early probably does so during this sleep.
  ///
  /// A correct program passes the test whatever the duration is.
  private func leaveTimeForMistakes() {
    MonotonicClock.sleep(.milliseconds(3))
  }

  private func waitUntilInvalidated(_ lifecycle: Lifecycle) {
    while lifecycle.state != .invalidated { PlatformThread.yield() }
  }

  // MARK: Deliveries in flight

  @Test("the end of a delivery wakes the threads that sleep until it ends", arguments: [false, true])
  func endOfDeliveryWakes(isInsideAnother: Bool) {
    let lifecycle = activeLifecycle()
    let other = activeLifecycle()
    let started = MeetingPoint(parties: 3)
    let isReady = RelaxedFlag()
    let isWoken = race(threads: 3) { index -> Bool in
      switch index {
      case 0:
        func deliver() {
          lifecycle.whileActive {
            started.meet()
            while !lifecycle.core.current.hasWaiters || !isReady.isSet { PlatformThread.yield() }
            leaveTimeForMistakes()
          }
        }
        if isInsideAnother { other.whileActive { deliver() } } else { deliver() }
        return true
      case 1:
        started.meet()
        lifecycle.invalidate()
        return true
      default:
        let before = lifecycle.core.changes.loadRelaxed()
        started.meet()
        isReady.set()
        lifecycle.core.changes.wait(while: before)
        return lifecycle.core.changes.loadRelaxed() != before
      }
    }
    #expect(isWoken == [true, true, true])
    other.invalidate()
  }

  @Test("a thread that is not the first to invalidate waits as well")
  func secondInvalidation() {
    let lifecycle = activeLifecycle()
    let isInside = Signal()
    let hasEnded = RelaxedFlag()
    race(threads: 3) { index in
      if index == 0 {
        lifecycle.whileActive {
          isInside.send()
          waitUntilInvalidated(lifecycle)
          leaveTimeForMistakes()
          hasEnded.set()
        }
      } else {
        if index == 1 { isInside.wait() } else { waitUntilInvalidated(lifecycle) }
        lifecycle.invalidate()
        #expect(hasEnded.isSet)
      }
    }
  }

  @Test("a thread is inside a lifecycle only while its delivery runs, also inside other deliveries")
  func insideOnlyMeanwhile() {
    let lifecycles = (0..<10).map { _ in activeLifecycle() }
    func deliver(_ depth: Int) {
      guard depth < lifecycles.count else { return }
      lifecycles[depth].whileActive {
        deliver(depth + 1)
        #expect(lifecycles.map { $0.core.isCallingThreadInside } == (0..<10).map { $0 <= depth })
      }
    }
    deliver(0)
    #expect(lifecycles.allSatisfy { !$0.core.isCallingThreadInside })
    for lifecycle in lifecycles { lifecycle.invalidate() }
  }

  @Test("deliveries are dropped while invalidate waits")
  func lateDeliveriesAreDropped() {
    let lifecycle = activeLifecycle()
    let started = Signal()
    let late = race(threads: 2) { index -> [Bool] in
      if index == 1 {
        started.wait()
        lifecycle.invalidate()
        return []
      }
      return lifecycle.whileActive {
        started.send()
        waitUntilInvalidated(lifecycle)
        let isNestedDropped = lifecycle.whileActive { 1 } == nil
        let isOtherDropped = onAnotherThread { lifecycle.whileActive { 1 } == nil }
        return [isNestedDropped, isOtherDropped]
      } ?? []
    }
    #expect(late[0] == [true, true])
  }

  // MARK: Several objects

  @Test(
    "a delivery may invalidate another object, and waits for its deliveries")
  func aChainOfInvalidationsEnds() {
    for _ in 0..<StressSize.pick(quick: 20, full: 1_000) {
      let lifecycles = (0..<4).map { _ in activeLifecycle() }
      let started = MeetingPoint(parties: 4)
      let hasEnded = (0..<4).map { _ in Unguarded(false) }
      let seen = race(threads: 4) { index -> Bool in
        let result = lifecycles[index].whileActive {
          started.meet()
          // Each thread but the last invalidates the next lifecycle, and so waits for that lifecycle's body
          // of `whileActive`. The last thread ends its body only when all others wait, or are about to wait.
          guard index < 3 else {
            for lifecycle in lifecycles.dropFirst() { waitUntilInvalidated(lifecycle) }
            leaveTimeForMistakes()
            hasEnded[index].value = true
            return true
          }
          lifecycles[index + 1].invalidate()
          hasEnded[index].value = true
          return hasEnded[index + 1].value
        }
        return result ?? false
      }
      #expect(seen == [true, true, true, true])
      lifecycles[0].invalidate()
    }
  }

  // MARK: Activation

  @Test
  func aDeliveryMayInvalidateWhileAnActivationFails() {
    let lifecycle = Lifecycle(label: "Test")
    let isActivating = Signal()
    let isDelivering = Signal()
    let results = race(threads: 2) { index -> Bool in
      if index == 0 {
        do throws(Failure) {
          try lifecycle.activate { () throws(Failure) in
            isActivating.send()
            isDelivering.wait()
            throw Failure()
          }
          return false
        } catch {
          return lifecycle.state == .invalidated
        }
      }
      isActivating.wait()
      return lifecycle.whileActive {
        isDelivering.send()
        while lifecycle.state == .active { PlatformThread.yield() }
        // `activate` and `invalidate` must not wait for the body of `whileActive` in which they are called.
        let isSecondActivation = lifecycle.activate()
        return lifecycle.invalidate() && !isSecondActivation
      } ?? false
    }
    #expect(results == [true, true])
  }

  @Test
  func anInvalidationWakesAThreadThatWaitsForAnActivation() {
    let lifecycle = Lifecycle(label: "Test")
    let started = MeetingPoint(parties: 3)
    let isRefused = Signal()
    let results = race(threads: 3) { index -> Bool in
      switch index {
      case 0:
        return lifecycle.activate {
          started.meet()
          // This body waits until the `activate` of thread 1 has returned, so only the invalidation can have
          // ended that call.
          isRefused.wait()
        }
      case 1:
        started.meet()
        let isMine = lifecycle.activate()
        isRefused.send()
        return isMine
      default:
        started.meet()
        leaveTimeForMistakes()
        return lifecycle.invalidate()
      }
    }
    #expect(results == [true, false, true])
  }

  // MARK: Many deliveries of one thread

  /// Runs `body` inside nested calls of `whileActive` of all `lifecycles`; the outermost call is of the first
  /// one.
  private func deliver(to lifecycles: ArraySlice<Lifecycle>, _ body: () -> Void) {
    guard let first = lifecycles.first else { return body() }
    first.whileActive { deliver(to: lifecycles.dropFirst(), body) }
  }

  @Test func invalidateWaitsForEachOfManyNestedDeliveries() {
    let count = 12
    let lifecycles = (0..<count).map { _ in activeLifecycle() }
    let started = MeetingPoint(parties: count + 1)
    let hasEnded = Unguarded(Array(repeating: false, count: count))
    let seen = race(threads: count + 1) { index -> Bool in
      if index < count {
        started.meet()
        lifecycles[index].invalidate()
        return hasEnded.value[index]
      }
      deliver(to: lifecycles[...]) {
        started.meet()
        for lifecycle in lifecycles { waitUntilInvalidated(lifecycle) }
        leaveTimeForMistakes()
        hasEnded.value = Array(repeating: true, count: count)
      }
      return true
    }
    #expect(seen.allSatisfy { $0 })
  }

  @Test
  func invalidateInsideNestedDeliveries() {
    let lifecycles = (0..<12).map { _ in activeLifecycle() }
    let results = Unguarded<[Bool]>([])
    concurrently {
      deliver(to: lifecycles[...]) {
        for lifecycle in lifecycles {
          results.value.append(lifecycle.whileActive { true } ?? false)
          results.value.append(lifecycle.invalidate())
          results.value.append(lifecycle.whileActive { true } == nil)
        }
      }
    }
    #expect(results.value == Array(repeating: true, count: 36))
  }

  /// A later `invalidate` inside a delivery must not wait for deliveries on other threads, because these
  /// may wait for the calling thread.
  @Test
  func aLaterInvalidateInsideNestedDeliveriesDoesNotWait() {
    let lifecycles = (0..<12).map { _ in activeLifecycle() }
    let last = lifecycles[11]
    let started = MeetingPoint(parties: 3)
    let hasInvalidated = Signal()
    let results = race(threads: 3) { index -> Bool? in
      switch index {
      case 0:
        var isFirst: Bool?
        deliver(to: lifecycles[...]) {
          started.meet()
          waitUntilInvalidated(last)
          isFirst = last.invalidate()
          hasInvalidated.send()
        }
        return isFirst
      case 1:
        last.whileActive {
          started.meet()
          hasInvalidated.wait()
        }
        return nil
      default:
        started.meet()
        return last.invalidate()
      }
    }
    #expect(results == [false, nil, true])
    for lifecycle in lifecycles { lifecycle.invalidate() }
  }
}
