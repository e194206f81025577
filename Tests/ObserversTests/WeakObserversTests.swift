import Observers
import TestSupport
import Testing

private protocol NumberObserver: AnyObject, Sendable {
  func receive(_ number: Int)
}

/// An observer that records each call, and then runs the closure `reaction` that the test has set.
private final class Listener: NumberObserver {
  private let name: String
  private let log: Unguarded<[String]>
  private let tracked: Tracked
  let reaction = Unguarded<() -> Void>({})
  /// A closure that the observer's `deinit` calls, set by a test.
  let belongings = Unguarded<() -> Void>({})

  init(_ name: String, _ log: Unguarded<[String]>, _ lifetimes: Lifetimes = Lifetimes()) {
    self.name = name
    self.log = log
    tracked = Tracked(lifetimes)
  }

  deinit {
    belongings.value()
  }

  func receive(_ number: Int) {
    log.value.append("\(name) \(number)")
    reaction.value()
  }
}

@Suite struct WeakObserversTests {
  private struct Failure: Error, Equatable {}
  private let lifetimes = Lifetimes()

  private let log = Unguarded<[String]>([])
  private let observers = WeakObservers<any NumberObserver>()

  private func send(_ number: Int) {
    observers.forEach { $0.receive(number) }
  }

  @Test func observersAreCalledInTheOrderOfTheirRegistration() {
    let listeners = ["a", "b", "c"].map { Listener($0, log) }
    for listener in listeners { observers.add(whileAlive: listener) }
    observers.add(whileAlive: listeners[0])
    send(1)
    #expect(log.value == ["a 1", "b 1", "c 1", "a 1"])
    withExtendedLifetime(listeners) {}
  }

  @Test func aDeallocatedObserverIsNotCalled() {
    let rest = Listener("rest", log)
    do {
      let listener = Listener("gone", log, lifetimes)
      observers.add(whileAlive: listener)
      observers.add(whileAlive: rest)
      send(1)
    }
    #expect(lifetimes.alive == 0)
    send(2)
    #expect(log.value == ["gone 1", "rest 1", "rest 2"])
    #expect(observers.entryCount == 1)
  }

  @Test func anObserverWhoseObservationEndedIsNotCalled() {
    let listeners = ["a", "b"].map { Listener($0, log) }
    for listener in listeners + listeners { observers.add(whileAlive: listener) }
    let isFirst = observers.remove(listeners[0])
    let isSecond = observers.remove(listeners[0])
    #expect(isFirst)
    #expect(!isSecond)
    send(1)
    #expect(log.value == ["b 1", "b 1"])
    #expect(observers.entryCount == 2)
    withExtendedLifetime(listeners) {}
  }

  /// Also while the registration that has ended is still in memory.
  @Test func anObserverIsRemovedOnce() {
    let listeners = (0..<5).map { Listener("\($0)", log) }
    for listener in listeners { observers.add(whileAlive: listener) }
    let isFirst = observers.remove(listeners[0])
    let isSecond = observers.remove(listeners[0])
    #expect(isFirst)
    #expect(!isSecond)
    #expect(observers.entryCount == 5)
  }

  @Test func oneThreadAloneEndsARegistration() {
    let rounds = StressSize.pick(quick: 2_000, full: 200_000)
    let meeting = MeetingPoint(parties: 4)
    let observers = WeakObservers<Listener>()
    let listeners = (0..<rounds).map { Listener("\($0)", log) }
    let ends = race(threads: 4) { index -> Int in
      listeners.count { listener in
        if index == 0 { observers.add(whileAlive: listener) }
        meeting.meet()
        defer { meeting.meet() }
        return observers.remove(listener)
      }
    }
    #expect(ends.reduce(0, +) == rounds)
  }

  @Test func aTokenEndsItsOwnRegistration() {
    let listener = Listener("a", log)
    observers.add(whileAlive: listener)
    do {
      let token = observers.add(listener)
      send(1)
      token.end()
    }
    send(2)
    do {
      // The token is destroyed immediately, which ends the registration.
      _ = observers.add(listener)
    }
    send(3)
    #expect(log.value == ["a 1", "a 1", "a 2", "a 3"])
    #expect(observers.entryCount == 1)
  }

  /// Few registrations that have ended stay in memory, and each of them costs no pass over all others.
  @Test func endedRegistrationsAreFreedWhenTheyAreHalf() {
    let listener = Listener("a", log)
    var tokens = (0..<64).map { _ in Holder(observers.add(listener)) }
    tokens.removeLast(31)
    #expect(observers.entryCount == 64)
    tokens.removeLast()
    #expect(observers.entryCount == 32)
    tokens.removeLast()
    #expect(observers.entryCount == 32, "the count begins anew")
    while !tokens.isEmpty {
      tokens.removeLast()
      #expect(observers.entryCount <= 2 * tokens.count)
    }
    send(1)
    #expect(log.value.isEmpty)
  }

  private final class Holder {
    let token: WeakObservers<any NumberObserver>.Registration

    init(_ token: consuming WeakObservers<any NumberObserver>.Registration) { self.token = token }
  }

  @Test func aTokenKeepsNoObserverAliveAndMayOutliveIt() {
    let token = observers.add(Listener("a", log, lifetimes))
    #expect(lifetimes.alive == 0)
    send(1)
    #expect(observers.entryCount == 0)
    token.end()
    #expect(log.value.isEmpty)
  }

  @Test func anErrorEndsTheIterationAndLeavesNoDeallocatedObserver() {
    let listeners = ["a", "b"].map { Listener($0, log) }
    observers.add(whileAlive: Listener("gone", log))
    for listener in listeners { observers.add(whileAlive: listener) }
    #expect(throws: Failure()) {
      try observers.forEach { observer throws(Failure) in
        observer.receive(1)
        throw Failure()
      }
    }
    #expect(log.value == ["a 1"])
    #expect(observers.entryCount == 2)
    withExtendedLifetime(listeners) {}
  }

  // MARK: During an iteration

  @Test func anObserverRegisteredDuringAnIterationIsCalledInTheNext() {
    let first = Listener("first", log)
    let late = Listener("late", log)
    observers.add(whileAlive: first)
    first.reaction.value = { [observers] in
      first.reaction.value = {}
      observers.add(whileAlive: late)
    }
    send(1)
    send(2)
    #expect(log.value == ["first 1", "first 2", "late 2"])
  }

  @Test func anObserverEndedDuringAnIterationIsNotCalled() {
    let listeners = ["a", "b", "c"].map { Listener($0, log) }
    for listener in listeners { observers.add(whileAlive: listener) }
    listeners[1].reaction.value = { [observers] in
      // Ends the registrations of all three observers: of this one, of one that was already called, and of
      // one that was not.
      for listener in listeners { observers.remove(listener) }
    }
    send(1)
    send(2)
    #expect(log.value == ["a 1", "b 1"])
    listeners[1].reaction.value = {}
  }

  @Test func anObserverDeallocatedDuringAnIterationIsNotCalled() {
    let first = Listener("first", log)
    let kept = Unguarded<Listener?>(Listener("gone", log, lifetimes))
    observers.add(whileAlive: first)
    observers.add(whileAlive: kept.value!)
    first.reaction.value = { kept.value = nil }
    send(1)
    #expect(log.value == ["first 1"])
    #expect(lifetimes.alive == 0)
    #expect(observers.entryCount == 1)
  }

  /// The observer's `deinit` runs inside the iteration and uses the list.
  ///
  /// The `deinit` would trap if the list held its lock during the iteration.
  @Test func anObserverDeallocatedInItsCallMayUseTheList() {
    let kept = Unguarded<Listener?>(Listener("gone", log, lifetimes))
    let heir = Listener("heir", log)
    observers.add(whileAlive: kept.value!)
    kept.value!.reaction.value = { kept.value = nil }
    kept.value!.belongings.value = { [observers] in observers.add(whileAlive: heir) }
    send(1)
    #expect(lifetimes.alive == 0)
    send(2)
    #expect(log.value == ["gone 1", "heir 2"])
  }

  @Test func iterationsNest() {
    let listeners = ["a", "b"].map { Listener($0, log) }
    for listener in listeners { observers.add(whileAlive: listener) }
    listeners[0].reaction.value = { [observers] in
      listeners[0].reaction.value = {}
      observers.forEach { $0.receive(2) }
    }
    send(1)
    #expect(log.value == ["a 1", "a 2", "b 2", "b 1"])
    withExtendedLifetime(listeners) {}
  }

  // MARK: Memory

  @Test func deallocatedObserversAreSwept() {
    let living = (0..<10).map { Listener("\($0)", log) }
    for listener in living { observers.add(whileAlive: listener) }
    for number in 0..<10_000 {
      observers.add(whileAlive: Listener("gone \(number)", log))
      // This registration ends immediately, because its token is discarded. Such registrations must not delay
      // the removal of deallocated observers.
      _ = observers.add(living[0])
    }
    #expect(observers.entryCount <= 32)
    send(1)
    #expect(log.value == (0..<10).map { "\($0) 1" })
    #expect(observers.entryCount == 10)
    withExtendedLifetime(living) {}
  }

  /// Few registrations are not worth a sweep: the first is due at 16, and so is the next if fewer than 8 are left.
  @Test func sweepsAreDueAtSixteen() {
    let listener = Listener("a", log)
    observers.add(whileAlive: listener)
    for round in 0..<2 {
      for number in 2..<16 {
        observers.add(whileAlive: Listener("gone", log))
        #expect(observers.entryCount == number, "round \(round)")
      }
      // Is alive in the sweep.
      let last = Listener("last", log)
      observers.add(whileAlive: last)
      #expect(observers.entryCount == 2)
      observers.remove(last)
      #expect(observers.entryCount == 1)
    }
  }

  @Test func aVisitOfAllObserversBringsTheNextSweepForward() {
    // After the registration of these live observers, the next sweep is due only at more than a hundred
    // registrations. The iteration in `send` must bring it forward.
    let many = (0..<100).map { Listener("\($0)", log) }
    for listener in many { observers.add(whileAlive: listener) }
    let last = Listener("last", log)
    observers.add(whileAlive: last)
    for listener in many { observers.remove(listener) }
    observers.add(whileAlive: Listener("gone", log))
    send(1)
    #expect(log.value == ["last 1"])
    for number in 0..<100 { observers.add(whileAlive: Listener("gone \(number)", log)) }
    #expect(observers.entryCount <= 17)
    withExtendedLifetime(last) {}
  }

  @Test func anObjectAtTheAddressOfADeallocatedObserverIsNotCalled() {
    final class Plain: Sendable {}
    let observers = WeakObservers<Plain>()
    var calls = 0
    for _ in 0..<1_000 {
      observers.add(whileAlive: Plain())
      let other = Plain()
      observers.forEach { _ in calls += 1 }
      if observers.remove(other) { calls += 1 }
    }
    #expect(calls == 0)
  }
}
