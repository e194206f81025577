import AtomicProperties
import Protectors
import Snapshots
import TestSupport
import Testing
import ViewModels

/// Tests the behaviour of a row model.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(20)))
struct RowsViewModelTests {
  // MARK: Edits and notifications

  @Test("read on the main actor, edited on other threads", arguments: RowsStrategy.allCases)
  func editedByThreads(strategy: RowsStrategy) async {
    let model = RowsViewModel(.testing(strategy))
    let observer = RecordingObserver(model)
    race(threads: 4) { thread in
      for number in 0..<200 { model.apply(.insert("\(thread) \(number)", .share(UInt64.max / 2))) }
    }
    while model.statistics.delivered < 800 { await Task.yield() }
    #expect(model.rows.count == 800 && model.rows == model.latestRows)
    #expect(Set(model.rows.texts).count == 800 && Set(model.rows.map(\.id)).count == 800)
    #expect(observer.isContent && observer.mirror.fingerprint == model.rows.fingerprint)
    #expect(model.audit().complaints == [])
  }

  @Test(
    "inserted, removed and modified, with index, rows and number",
    arguments: RowsStrategy.allCases)
  func threeNotifications(strategy: RowsStrategy) {
    let model = RowsViewModel(.testing(strategy) { $0.initialRows = ["a", "b"] })
    let observer = RecordingObserver(model)
    let isMade = [
      model.apply(.insert("c", .index(1))), model.apply(.append("!", .index(2))),
      model.apply(.remove(.index(0))),
      // These edits change nothing, because their positions do not exist.
      model.apply(.remove(.index(2))), model.apply(.append("?", .index(-1))),
      model.apply(.insert("?", .index(4))),
    ]
    #expect(isMade == [true, true, true, false, false, false])
    model.deliverPending()
    let notified = observer.notifications
    #expect(notified.map(\.change) == [.inserted, .modified, .removed])
    #expect(notified.map(\.index) == [1, 2, 0])
    #expect(notified.map(\.sequence) == [1, 2, 3])
    #expect(notified.map(\.row.text) == ["c", "b!", "a"])
    #expect(notified.map(\.rows.texts) == [["a", "c", "b"], ["a", "c", "b!"], ["c", "b!"]])
    #expect(notified.allSatisfy { $0.generation == 1 })
    #expect(observer.isContent)
  }

  @Test("published to every thread, all changes of a delivery together", arguments: RowsStrategy.allCases)
  func publishedRows(strategy: RowsStrategy) {
    let model = RowsViewModel(.testing(strategy) { $0.initialRows = ["a"] })
    let rows = model.publishedRows
    func published() -> [String] { onAnotherThread { rows.current.texts } }
    let observer = RecordingObserver(model)
    var inCallbacks: [[String]] = []
    observer.onCall = { inCallbacks.append(published()) }
    #expect(published() == ["a"])
    model.apply(.insert("b", .index(1)))
    model.apply(.insert("c", .index(2)))
    #expect(published() == ["a"])
    model.deliverPending()
    #expect(published() == ["a", "b", "c"] && inCallbacks == [["a"], ["a"]])
    inCallbacks = []
    model.restart(workers: 0)
    #expect(published() == ["a"] && inCallbacks == [["a"]])
  }

  @Test("published as long as a reader keeps them, and then anew", arguments: RowsStrategy.allCases)
  func publishedToReaders(strategy: RowsStrategy) {
    let model = RowsViewModel(.testing(strategy) { $0.initialRows = ["a"] })
    weak let first = model.publishedRows
    #expect(first == nil)
    model.apply(.insert("b", .index(1)))
    model.deliverPending()
    let rows = model.publishedRows
    #expect(rows.current.texts == ["a", "b"] && model.publishedRows === rows)
  }

  @Test("published to readers while eight workers edit", arguments: RowsStrategy.allCases)
  func publishedWhileEdited(strategy: RowsStrategy) async {
    let model = RowsViewModel(.testing(strategy) { $0.speed = .infinity })
    let observer = RecordingObserver(model)
    observer.keepsNotifications = false
    model.restart(workers: 8)
    let isEnding = AtomicProperty(false)
    let mistakes = AtomicProperty(0)
    let published = model.publishedRows
    let reader = ReaderThread {
      while !isEnding.value {
        let rows = published.current
        // The published rows must be the rows at one moment, so no identity may occur twice.
        if Set(rows.map(\.id)).count != rows.count { mistakes.value += 1 }
      }
    }
    while model.statistics.delivered < 2_000 { await Task.yield() }
    model.stop()
    model.deliverPending()
    isEnding.value = true
    reader.join()
    #expect(mistakes.value == 0)
    #expect(published.current == model.rows && observer.isContent)
    #expect(model.audit().complaints == [])
  }

  @Test("rows with the same texts and other identities have another fingerprint")
  func fingerprintsOfIdentities() {
    let model = RowsViewModel(.testing(.array) { $0.initialRows = ["a"] })
    let before = model.latestRows.fingerprint
    model.apply(.insert("a", .index(0)))
    model.apply(.remove(.index(1)))
    #expect(model.latestRows.texts == ["a"] && model.latestRows.fingerprint != before)
  }

  @Test("an audit while commands wait for the main actor finds nothing wrong")
  func auditOfWaitingCommands() {
    let model = RowsViewModel(.testing(.mainActor))
    race(threads: 2) { _ in model.apply(.insert("a", .index(0))) }
    #expect(model.audit().complaints == [])
    model.deliverPending()
    #expect(model.rows.count == 2 && model.audit().complaints == [])
  }

  @Test("an observer implements what it wants")
  func defaultImplementations() {
    final class OnlyRemovals: RowsObserver {
      var removed: [String] = []
      func rowRemoved(_ notification: RowNotification) { removed.append(notification.row.text) }
    }
    let model = RowsViewModel(.testing { $0.initialRows = ["a"] })
    let observer = OnlyRemovals()
    model.observer = observer
    model.apply(.insert("b", .index(1)))
    model.apply(.append("!", .index(0)))
    model.apply(.remove(.index(0)))
    model.deliverPending()
    model.restart(workers: 0)
    #expect(observer.removed == ["a!"])
  }

  @Test(
    "an edit wakes the main actor, and one wake-up is enough for a burst",
    arguments: RowsStrategy.allCases)
  func oneWakeUp(strategy: RowsStrategy) async {
    let model = RowsViewModel(.testing(strategy))
    let observer = RecordingObserver(model)
    // This test occupies the main actor until its next `await`, so no edit can be delivered before that.
    onAnotherThread { for number in 0..<500 { model.apply(.insert("\(number)", .index(0))) } }
    #expect(model.statistics.queued == 500 && model.statistics.mostQueued == 500)
    #expect(observer.notifications.isEmpty)
    while model.statistics.queued > 0 { await Task.yield() }
    #expect(observer.notifications.map(\.sequence) == Array(1...500))
    if strategy != .mainActor {
      #expect(model.statistics.drains == 1 && model.statistics.mostPerDrain == 500)
    }
    let drains = model.statistics.drains
    model.deliverPending()
    #expect(model.statistics.drains == drains, "there was nothing to deliver")
    // After the burst, the next edit must wake the main actor again.
    onAnotherThread { model.apply(.remove(.index(0))) }
    while observer.notifications.count < 501 { await Task.yield() }
    // An edit that is made on the main actor must also be delivered, even if another thread's edit waits.
    let isMade = onAnotherThread { strategy == .mainActor && model.apply(.insert("a", .index(0))) }
    #expect(isMade == (strategy == .mainActor))
    model.apply(.insert("b", .index(0)))
    let count = isMade ? 503 : 502
    while observer.notifications.count < count { await Task.yield() }
    model.apply(.insert("c", .index(0)))
    while observer.notifications.count < count + 1 { await Task.yield() }
    #expect(observer.isContent)
  }

  @Test("the notification is there when the lock is released")
  func enqueuedInTheSection() {
    let queued = Unguarded<[Int]>([])
    let box = Unguarded<RowsViewModel?>(nil)
    let model = RowsViewModel(
      .testing {
        $0.afterUnlock = { _ in
          // This closure runs on the main thread, inside `apply(_:)`.
          MainActor.assumeIsolated { queued.value.append(box.value!.statistics.queued) }
        }
      })
    box.value = model
    for _ in 0..<3 { model.apply(.insert("a", .index(0))) }
    #expect(queued.value == [1, 2, 3])
    box.value = nil
  }

  @Test(
    "a callback that edits and delivers changes no order", arguments: RowsStrategy.allCases, [false, true])
  func deliveredInACallback(strategy: RowsStrategy, onOtherThreads: Bool) {
    let model = RowsViewModel(.testing(strategy))
    let observer = RecordingObserver(model)
    func insert(_ texts: [String], at index: Int) {
      let edits: @Sendable () -> Void = {
        for (offset, text) in texts.enumerated() { model.apply(.insert(text, .index(index + offset))) }
      }
      if onOtherThreads { onAnotherThread { edits() } } else { edits() }
    }
    var isFirst = true
    observer.onCall = { [unowned model] in
      guard isFirst else { return }
      isFirst = false
      insert(["3"], at: 2)
      model.deliverPending()
    }
    insert(["1", "2"], at: 0)
    model.deliverPending()
    #expect(model.rows.texts == ["1", "2", "3"])
    #expect(observer.notifications.map(\.row.text) == ["1", "2", "3"])
    #expect(observer.isContent && model.audit().complaints == [])
  }

  @Test("after an observer has started the model again, no keyed observer gets earlier rows")
  func afterARestartNoKeyedObserverGetsEarlierRows() {
    let (first, second) = (Tracked(Lifetimes()), Tracked(Lifetimes()))
    let model = RowsViewModel(.testing { $0.initialRows = ["a"] })
    var hasRestarted = false
    model.observe(whileAlive: first) { [unowned model] _ in
      if hasRestarted { return }
      hasRestarted = true
      model.restart(workers: 0)
    }
    var seen: [[String]] = []
    model.observe(whileAlive: second) { seen.append($0.texts) }
    model.apply(.insert("b", .index(0)))
    model.deliverPending()
    #expect(seen.last == ["a"])
    withExtendedLifetime((first, second)) {}
  }

  /// The callbacks of this test acquire the model's lock.
  ///
  /// If the model called them under that lock, they would trap.
  @Test("code of the user runs under no lock", arguments: RowsStrategy.allCases)
  func noUserCodeUnderTheLock(strategy: RowsStrategy) {
    let key = Tracked(Lifetimes())
    let model = RowsViewModel(.testing(strategy))
    let observer = RecordingObserver(model)
    observer.onCall = { [unowned model] in
      if model.latestRows.count < 20 { model.apply(.insert("again", .index(0))) }
      model.deliverPending()
      _ = model.statistics
    }
    model.observe(whileAlive: key) { [unowned model] rows in
      if rows.count < 20 { model.apply(.insert("watched", .index(0))) }
      model.endObservation(by: key)
    }
    model.apply(.insert("first", .index(0)))
    while model.statistics.queued > 0 { model.deliverPending() }
    #expect(model.rows.count >= 20)
    #expect(observer.isContent)
    #expect(observer.notifications.map(\.sequence) == Array(1...UInt64(model.rows.count)))
  }

  // MARK: Workers and generations

  @Test("a row at once, then an edit after each sleep of 1 to 4 seconds")
  func workersByTheClock() {
    let clock = ManualClock()
    let model = RowsViewModel(.testing { $0.clock = clock })
    model.restart(workers: 3)
    clock.waitForSleepers(3)
    #expect(Set(model.latestRows.texts) == ["thread-0", "thread-1", "thread-2"])
    clock.advance(by: .milliseconds(999))
    #expect(model.statistics.posted.total == 3 && clock.naps.count == 3)
    for round in 1...50 {
      clock.advance(by: .seconds(4))
      clock.waitForNaps(3 * (round + 1))
      clock.waitForSleepers(3)
    }
    #expect(clock.naps.allSatisfy { (.seconds(1)...(.seconds(4))).contains($0) })
    #expect(Set(clock.naps).count > 20)
    #expect(model.statistics.posted.total <= 153)
  }

  @Test("speed divides the sleep")
  func speed() {
    let clock = ManualClock()
    let model = RowsViewModel(
      .testing {
        $0.clock = clock
        $0.speed = 1_000
      })
    model.restart(workers: 8)
    clock.waitForSleepers(8)
    #expect(clock.naps.allSatisfy { (.milliseconds(1)...(.milliseconds(4))).contains($0) })
  }

  @Test("a speed of almost nothing makes the sleep long")
  func leastSpeed() {
    let clock = ManualClock()
    let model = RowsViewModel(
      .testing {
        $0.clock = clock
        $0.speed = .leastNonzeroMagnitude
      })
    model.restart(workers: 1)
    clock.waitForSleepers(1)
    #expect(clock.naps.allSatisfy { $0 > .seconds(1_000_000) })
    // At this speed a worker sleeps for decades. The system's clock must accept that sleep, and `stop` must
    // wake the worker.
    let other = RowsViewModel(.testing { $0.speed = .leastNonzeroMagnitude })
    other.restart(workers: 1)
    while other.statistics.posted.total < 1 { PlatformThread.yield() }
    other.stop()
  }

  @Test("20 % additions, 10 % removals, 70 % modifications")
  func proportions() async {
    let model = RowsViewModel(.testing { $0.speed = .infinity })
    model.restart(workers: 1)
    while model.statistics.posted.total < 6_000 { await Task.yield() }
    model.stop()
    let posted = model.statistics.posted
    let total = Double(posted.total)
    #expect((0.18...0.22).contains(Double(posted.inserted) / total))
    #expect((0.08...0.12).contains(Double(posted.removed) / total))
    #expect((0.68...0.72).contains(Double(posted.modified) / total))
  }

  @Test("the same seed makes the same edits")
  func seeded() {
    func edits(seed: UInt64) -> [String] {
      let clock = ManualClock()
      let model = RowsViewModel(
        .testing {
          $0.clock = clock
          $0.seed = seed
        })
      let observer = RecordingObserver(model)
      model.restart(workers: 1)
      for round in 1...100 {
        clock.waitForNaps(round)
        clock.advance(by: .seconds(4))
      }
      model.stop()
      model.deliverPending()
      return observer.notifications.prefix(80).map { "\($0.change) \($0.index) \($0.row.text)" }
    }
    #expect(edits(seed: 7) == edits(seed: 7))
    #expect(edits(seed: 7) != edits(seed: 8))
  }

  @Test(
    "a row is thread-<id>, and each modification appends -<id>",
    arguments: RowsStrategy.allCases)
  func texts(strategy: RowsStrategy) async {
    let model = RowsViewModel(.testing(strategy) { $0.speed = 2_000 })
    let observer = RecordingObserver(model)
    observer.keepsNotifications = false
    model.restart(workers: 4)
    while model.statistics.posted.total < 600 { await Task.yield() }
    model.stop()
    while model.statistics.queued > 0 { model.deliverPending() }
    let row = /thread-[0-3](-[0-3])*/
    #expect(model.rows.allSatisfy { $0.text.wholeMatch(of: row) != nil })
    #expect(model.rows.contains { $0.text.count > 12 })
    #expect(model.audit().complaints == [] && observer.isContent)
  }

  @Test(
    "the end of the handle wakes and joins workers that sleep for an hour",
    arguments: RowsStrategy.allCases)
  func stopWakes(strategy: RowsStrategy) async {
    let model = RowsViewModel(.testing(strategy) { $0.speed = 1.0 / 3_600 })
    model.restart(workers: 8)
    while model.statistics.posted.total < 8 { await Task.yield() }
    #expect(model.statistics.liveThreads == 8)
    model.stop()
    #expect(model.statistics.liveThreads == 0)
  }

  @Test("workers end with the model")
  func workersEndWithTheModel() {
    /// A random number generator that lives as long as its thread runs, so that `Lifetimes` counts the
    /// threads.
    struct TrackedRandom: RandomNumberGenerator, Sendable {
      let life: Tracked
      var numbers: SeededRandom
      mutating func next() -> UInt64 { numbers.next() }
    }
    let lifetimes = Lifetimes()
    do {
      let clock = ManualClock()
      let model = RowsViewModel(
        .testing {
          $0.clock = clock
          $0.makeRandom = {
            TrackedRandom(life: Tracked(lifetimes), numbers: SeededRandom(seed: $0, stream: $1))
          }
        })
      model.restart(workers: 4)
      clock.waitForSleepers(4)
      #expect(lifetimes.alive == 4)
    }
    #expect(lifetimes.alive == 0)
  }

  // MARK: Restarts and observers

  @Test(
    "started again with 0, 1, 8, 64 workers, over and over", arguments: RowsStrategy.allCases)
  func restarts(strategy: RowsStrategy) async {
    // At full speed under ThreadSanitizer, 64 workers would take all processor time from the main actor.
    let speed = Sanitizer.isThreadSanitizerActive ? 200.0 : 2_000
    let model = RowsViewModel(.testing(strategy) { $0.speed = speed })
    let observer = RecordingObserver(model)
    var random = Seed.current.generator(stream: 7)
    for round in 0..<StressSize.pick(quick: 12, full: 200) {
      let count = [0, 1, 8, 64][round % 4]
      model.restart(workers: count)
      #expect(model.rows.isEmpty && model.statistics.liveThreads == count)
      let goal = model.statistics.posted.total + (count == 0 ? 0 : Int.random(in: 0...100, using: &random))
      while model.statistics.posted.total < goal { await Task.yield() }
      // The statistics are read only once, because each reading waits for the lock that the workers use.
      let generation = model.statistics.generation
      #expect(observer.notifications.allSatisfy { $0.generation == generation })
      observer.forget()
    }
    model.stop()
    while model.statistics.queued > 0 { model.deliverPending() }
    observer.forget()
    #expect(observer.isContent && model.audit().complaints == [], "\(Seed.current)")
    #expect(model.statistics.liveThreads == 0)
    #expect(model.statistics.liveSnapshots == 0)
  }

  @Test(
    "what waits when the model is started again is dropped", arguments: RowsStrategy.allCases)
  func nothingFromAnEarlierGeneration(strategy: RowsStrategy) async {
    let model = RowsViewModel(.testing(strategy) { $0.initialRows = ["a"] })
    let observer = RecordingObserver(model)
    for _ in 0..<10 { model.apply(.append("!", .index(0))) }
    model.restart(workers: 0)
    #expect(observer.restarts == [2] && model.rows.texts == ["a"])
    model.apply(.insert("b", .index(1)))
    model.deliverPending()
    await Task.yield()
    #expect(observer.notifications.map(\.rows.texts) == [["a", "b"]])
    #expect(observer.notifications.map(\.generation) == [2] && observer.notifications.map(\.sequence) == [1])
    #expect(model.statistics.droppedByGeneration == 10)
    #expect(model.audit().complaints == [])
  }

  @Test(
    "started again from inside a callback", arguments: RowsStrategy.allCases, [false, true])
  func restartInACallback(strategy: RowsStrategy, inBatches: Bool) {
    let model = RowsViewModel(.testing(strategy))
    let observer = RecordingObserver(model, prefersBatches: inBatches)
    var isFirst = true
    observer.onCall = { [unowned model] in
      guard isFirst else { return }
      isFirst = false
      // The edit "late", and earlier ones that are not delivered yet, wait until this callback ends. The
      // restart must drop them.
      model.apply(.insert("late", .index(0)))
      model.deliverPending()
      model.restart(workers: 0)
      model.apply(.insert("new", .index(0)))
      model.deliverPending()
    }
    for _ in 0..<10 { model.apply(.insert("old", .index(0))) }
    model.deliverPending()
    #expect(model.rows.texts == ["new"])
    #expect(observer.notifications.count + observer.batches.count == 2)
    #expect(observer.isContent && model.audit().complaints == [])
  }

  @Test("every snapshot is released", arguments: RowsStrategy.allCases)
  func snapshotsAreReleased(strategy: RowsStrategy) {
    let model = RowsViewModel(.testing(strategy))
    let observer = RecordingObserver(model)
    for _ in 0..<100 { model.apply(.insert("a", .index(0))) }
    model.deliverPending()
    #expect(model.statistics.liveSnapshots == 100)
    observer.forget()
    #expect(model.statistics.liveSnapshots == 0)
    for _ in 0..<100 { model.apply(.insert("a", .index(0))) }
    model.restart(workers: 0)
    #expect(model.statistics.liveSnapshots == 0)
  }

  @Test(
    "an observer that is gone ends delivery, and nothing else",
    arguments: RowsStrategy.allCases)
  func goneObserver(strategy: RowsStrategy) async {
    let model = RowsViewModel(.testing(strategy) { $0.speed = 2_000 })
    weak var gone: RecordingObserver?
    do {
      let observer = RecordingObserver(model)
      gone = observer
      model.restart(workers: 4)
      while observer.notifications.count < 50 { await Task.yield() }
      #expect(model.statistics.liveObservers == 1)
    }
    #expect(gone == nil && model.statistics.liveObservers == 0)
    while model.statistics.unobserved < 50 { await Task.yield() }
    let next = RecordingObserver(model)
    model.restart(workers: 4)
    while next.notifications.count < 50 { await Task.yield() }
    model.stop()
    while model.statistics.queued > 0 { model.deliverPending() }
    #expect(next.isContent && model.audit().complaints == [])
  }

  @Test("an observer that goes in its own callback")
  func observerGoesInItsCallback() {
    let model = RowsViewModel(.testing())
    var observer: RecordingObserver? = RecordingObserver(model)
    observer?.onCall = { observer = nil }
    for _ in 0..<10 { model.apply(.insert("a", .index(0))) }
    model.deliverPending()
    #expect(observer == nil && model.statistics.delivered == 1 && model.statistics.unobserved == 9)
    #expect(model.audit().complaints == [])
  }
}
