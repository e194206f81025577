import TestSupport
import Testing
import ViewModels

/// Tests edits that wait for a busy main actor.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(20)))
struct BacklogTests {
  /// Makes `times` random edits on another thread, and blocks the main actor until they are made.
  ///
  /// `stream` selects the sequence of random numbers.
  private func edit(_ model: RowsViewModel, times: Int, stream: Int) {
    onAnotherThread {
      var random = Seed.current.generator(stream: stream)
      for number in 0..<times {
        let position = RowPosition.share(random.next())
        if random.happens(percent: 25) {
          model.apply(.insert("row \(number), long enough to be on the heap", position))
        } else {
          model.apply(random.happens(percent: 33) ? .remove(position) : .append("-\(number)", position))
        }
      }
    }
  }

  @Test(
    "what is too much is composed, and no number is lost",
    arguments: [RowsStrategy.array, .tree, .delta])
  func overflowIsComposed(strategy: RowsStrategy) {
    let model = RowsViewModel(
      .testing(strategy) {
        $0.initialRows = (0..<500).map { "row \($0)" }
        // The limit, in bytes, has room for some of the notifications, but not for all.
        $0.backlogBytes = strategy == .array ? 1_000_000 : 100_000
      })
    let observer = RecordingObserver(model)
    edit(model, times: 5_000, stream: 11)
    #expect(model.statistics.queued == model.statistics.posted.total)
    model.deliverPending()
    #expect(model.statistics.drains == 1 && model.statistics.composedBatches == 1)
    let notified = observer.notifications
    #expect(notified.count < model.statistics.posted.total && notified.count > 10)
    #expect(notified.last?.sequence == UInt64(model.statistics.posted.total))
    #expect(notified.first?.sequences == 1...1)
    #expect(zip(notified, notified.dropFirst()).allSatisfy { $0.sequence + 1 == $1.sequences.lowerBound })
    #expect(observer.isContent && model.audit().complaints == [], "\(Seed.current)")
    #expect(observer.mirror.fingerprint == model.latestRows.fingerprint)
    // After the backlog has been delivered, each edit must have its own notification again.
    observer.forget()
    edit(model, times: 10, stream: 12)
    model.deliverPending()
    #expect(observer.notifications.allSatisfy { $0.sequences.count == 1 })
    #expect(observer.isContent && model.audit().complaints == [], "\(Seed.current)")
  }

  /// Makes a model whose backlog has no room for notifications, so that it combines all waiting edits.
  private func modelThatComposes() -> RowsViewModel {
    RowsViewModel(
      .testing {
        $0.initialRows = ["a"]
        $0.backlogBytes = 0
      })
  }

  /// Makes and delivers two edits that cancel one another out.
  private func editToNothing(_ model: RowsViewModel) {
    model.apply(.insert("b", .index(0)))
    model.apply(.remove(.index(0)))
    model.deliverPending()
  }

  @Test("edits that come to nothing leave no gap")
  func nothingLeft() {
    let model = modelThatComposes()
    let observer = RecordingObserver(model)
    editToNothing(model)
    #expect(observer.notifications.isEmpty && model.statistics.delivered == 2)
    model.apply(.append("!", .index(0)))
    model.deliverPending()
    #expect(observer.notifications.map(\.sequences) == [1...3])
    #expect(observer.isContent && model.audit().complaints == [])
  }

  @Test("edits that come to nothing are forgotten when the model is started again")
  func nothingLeftOfAnEarlierGeneration() {
    let model = modelThatComposes()
    let observer = RecordingObserver(model)
    model.apply(.append("!", .index(0)))
    model.deliverPending()
    editToNothing(model)
    model.restart(workers: 0)
    observer.forget()
    model.apply(.append("?", .index(0)))
    model.deliverPending()
    #expect(observer.notifications.map(\.sequences) == [1...1])
    #expect(observer.isContent && model.audit().complaints == [])
  }

  @Test("one batch for all that waits", arguments: RowsStrategy.allCases)
  func batches(strategy: RowsStrategy) {
    let model = RowsViewModel(.testing(strategy) { $0.initialRows = ["a", "b", "c", "d"] })
    let observer = RecordingObserver(model, prefersBatches: true)
    let watched = Unguarded<[[String]]>([])
    model.observe(whileAlive: observer) { watched.value.append($0.texts) }
    model.apply(.remove(.index(1)))
    model.apply(.insert("e", .index(0)))
    model.apply(.insert("gone", .index(2)))
    model.apply(.append("!", .index(4)))
    model.apply(.remove(.index(2)))
    model.apply(.append("?", .index(0)))
    model.deliverPending()
    let batch = observer.batches[0]
    #expect(observer.batches.count == 1 && batch.sequences == 1...6 && batch.count == 3)
    #expect(model.statistics.liveSnapshots == 2, "those of the batch")
    #expect(batch.before.texts == ["a", "b", "c", "d"] && batch.after.texts == ["e?", "a", "c", "d!"])
    #expect(batch.removals == [1] && batch.insertions == [0])
    #expect(batch.modifications.map(\.oldIndex) == [3] && batch.modifications.map(\.newIndex) == [3])
    #expect(observer.batches.allSatisfy { $0.replayed() == $0.after })
    #expect(model.rows.texts == ["e?", "a", "c", "d!"] && watched.value == [model.rows.texts])
    #expect(observer.isContent && model.audit().complaints == [])
  }

  @Test(
    "composed batches replayed on before equal after, and name no row in vain",
    arguments: RowsStrategy.allCases, [0, 1, 40, 2_000])
  func composedBatchesAreRight(strategy: RowsStrategy, initialCount: Int) {
    let model = RowsViewModel(
      .testing(strategy) { configuration in
        configuration.initialRows = (0..<initialCount).map { "row \($0)" }
        // In the case of 40 rows, the limit has no room for any notification, so all edits are combined.
        if initialCount == 40 { configuration.backlogBytes = 0 }
      })
    let observer = RecordingObserver(model, prefersBatches: true)
    let rounds = StressSize.pick(quick: 12, full: 300)
    for round in 0..<rounds {
      edit(model, times: [1, 7, 300][round % 3], stream: initialCount + round)
      model.deliverPending()
    }
    if initialCount == 40 { #expect(model.statistics.composedBatches == rounds) }
    for batch in observer.batches {
      #expect(batch.replayed() == batch.after, "\(Seed.current)")
      let (before, after) = (Set(batch.before.map(\.id)), Set(batch.after.map(\.id)))
      #expect(Set(batch.removals.map { batch.before[$0].id }) == before.subtracting(after), "\(Seed.current)")
      #expect(
        Set(batch.insertions.map { batch.after[$0].id }) == after.subtracting(before), "\(Seed.current)")
      #expect(
        batch.modifications.allSatisfy {
          let (old, new) = (batch.before[$0.oldIndex], batch.after[$0.newIndex])
          return old.id == new.id && old.text != new.text
        }, "\(Seed.current)")
    }
    #expect(observer.isContent && model.audit().complaints == [], "\(Seed.current)")
    #expect(observer.mirror.fingerprint == model.latestRows.fingerprint, "\(Seed.current)")
    observer.forget()
    #expect(model.statistics.liveSnapshots == 0)
  }

  @Test("with mainActor, workers wait when the queue is full, and stop all the same")
  func commandsAreBounded() async {
    let model = RowsViewModel(
      .testing(.mainActor) {
        $0.speed = .infinity
        $0.commandLimit = 100
      })
    let observer = RecordingObserver(model)
    observer.keepsNotifications = false
    model.restart(workers: 8)
    // This test occupies the main actor, which therefore takes no commands, so the queue stays full.
    while model.statistics.queued < 100 { PlatformThread.yield() }
    model.stop()
    #expect(model.statistics.mostQueued == 100)
    while model.statistics.queued > 0 { model.deliverPending() }
    #expect(observer.isContent && model.audit().complaints == [])
  }

  @Test("with mainActor, other threads wait too when the queue is full")
  func commandsFromOutsideAreBounded() {
    let model = RowsViewModel(.testing(.mainActor) { $0.commandLimit = 100 })
    let observer = RecordingObserver(model)
    let thread = PlatformThread {
      for number in 0..<1_000 { model.apply(.insert("\(number)", .index(0))) }
    }
    while model.statistics.queued < 100 { PlatformThread.yield() }
    // The queue is full, so the thread must block. The sleep gives it time to queue more commands by mistake.
    MonotonicClock.sleep(.milliseconds(20))
    #expect(model.statistics.queued == 100)
    while model.statistics.posted.total < 1_000 { model.deliverPending() }
    thread.join()
    #expect(model.statistics.mostQueued == 100)
    #expect(observer.isContent && model.audit().complaints == [])
  }

  @Test("a callback that edits and delivers over and over queues no bursts", arguments: RowsStrategy.allCases)
  func burstsOfACallback(strategy: RowsStrategy) {
    let model = RowsViewModel(
      .testing(strategy) {
        $0.initialRows = ["a"]
        $0.backlogBytes = 0
      })
    let observer = RecordingObserver(model)
    observer.keepsNotifications = false
    var isFirst = true
    var waiting: Int?
    observer.onCall = { [unowned model] in
      guard isFirst else { return }
      isFirst = false
      for _ in 0..<1_000 {
        model.apply(.append("!", .index(0)))
        model.deliverPending()
      }
      waiting = model.statistics.liveSnapshots
    }
    model.apply(.append("?", .index(0)))
    model.deliverPending()
    // At most the few snapshots that the running callback uses may be alive. If the 1000 edits of the
    // callback waited as notifications, 1000 more snapshots would be alive.
    #expect(waiting.map { $0 <= 4 } == true)
    #expect(model.rows[0].text.count == 1_002)
    #expect(observer.isContent && model.audit().complaints == [])
  }

  #if os(Linux)
    @Test(
      "edits that the main actor makes itself wait within the bound",
      .enabled(if: !Sanitizer.isActive, "the sanitizer has an allocator of its own"),
      arguments: RowsStrategy.allCases)
    func ownEditsAreBounded(strategy: RowsStrategy) async {
      await #expect(processExitsWith: .success) { [name = strategy.rawValue as String] in
        await BacklogTests.editOnMainActor(RowsStrategy(rawValue: name)!)
      }
    }

    private static func editOnMainActor(_ strategy: RowsStrategy) {
      let model = RowsViewModel(.testing(strategy) { $0.backlogBytes = 1 << 20 })
      let observer = RecordingObserver(model)
      observer.keepsNotifications = false
      let before = ResidentMemory.bytes
      for number in 0..<100_000 {
        model.apply(.insert("row number \(number), on the heap", .index(0)))
        model.apply(.remove(.index(0)))
      }
      let growth = ResidentMemory.bytes - before
      precondition(growth < 8 << 20, "\(growth) bytes")
      model.deliverPending()
      precondition(model.statistics.posted.total == 200_000 && model.rows.isEmpty)
      precondition(observer.isContent && model.audit().complaints == [])
    }

    @Test(
      "a stalled main actor costs no more than the bound, and one drain catches up",
      .enabled(if: !Sanitizer.isActive, "the sanitizer has an allocator of its own"),
      arguments: [RowsStrategy.array, .tree, .delta])
    func stallIsBounded(strategy: RowsStrategy) async {
      // The test runs in a process of its own, where no other code allocates.
      await #expect(processExitsWith: .success) { [name = strategy.rawValue as String] in
        await BacklogTests.stallMainActor(RowsStrategy(rawValue: name)!)
      }
    }

    @Test(
      "a thousand snapshots of 100 000 rows that wait take 16 MB at most",
      .enabled(if: !Sanitizer.isActive, "the sanitizer has an allocator of its own"))
    func aThousandSnapshots() async {
      await #expect(processExitsWith: .success) {
        await BacklogTests.queueSnapshots()
      }
    }

    private static func queueSnapshots() {
      let model = RowsViewModel(
        .testing { $0.initialRows = (0..<100_000).map { "row number \($0), on the heap" } })
      let observer = RecordingObserver(model)
      var random = Seed.current.generator(stream: 1_000)
      let before = ResidentMemory.bytes
      for _ in 0..<1_000 { model.apply(.append(" and longer", .share(random.next()))) }
      let growth = ResidentMemory.bytes - before
      precondition(model.statistics.liveSnapshots == 1_000)
      // The memory must have grown: the thousand edits are in different places, so each snapshot keeps at
      // least one leaf of the row tree alive.
      precondition(growth > 1 << 20 && growth <= 16 << 20, "\(growth) bytes")
      model.deliverPending()
      precondition(observer.notifications.count == 1_000 && observer.isContent)
    }

    /// Lets four threads edit as fast as possible while the main actor is blocked.
    ///
    /// Traps if the waiting notifications take more memory than the limit permits.
    private static func stallMainActor(_ strategy: RowsStrategy) {
      // The limit of the backlog, in bytes. The notifications of all edits must need more. Those of `delta`
      // are smaller, because they have no snapshot, so the limit is smaller too.
      let limit = strategy == .delta ? 1 << 20 : 16 << 20
      let initialRows = (0..<10_000).map { "row number \($0), on the heap" }
      let model = RowsViewModel(
        .testing(strategy) {
          $0.initialRows = initialRows
          $0.backlogBytes = limit
        })
      let observer = RecordingObserver(model)
      observer.keepsNotifications = false
      let before = ResidentMemory.bytes
      race(threads: 4) { thread in
        // Each insertion is followed by a removal, so that only the waiting notifications take more memory.
        for _ in 0..<StressSize.pick(quick: 2_000, full: 20_000) {
          model.apply(.insert("another row, also on the heap", .index(thread * 2_000)))
          model.apply(.remove(.index(thread * 2_000)))
        }
      }
      let growth = ResidentMemory.bytes - before
      // The limit does not include rows that edits have replaced and that the observer still keeps. These
      // rows take at most as much memory as one copy of all rows.
      let copy = model.rows.count * MemoryLayout<Row>.stride * 2 + model.rows.count * 64
      precondition(model.statistics.queued == model.statistics.posted.total)
      // The allocator also keeps some memory for each thread.
      let slack = 4 << 20
      precondition(growth < limit + copy + slack, "\(growth) bytes for a limit of \(limit)")
      // Each notification takes at most a tenth of the limit, so the waiting ones fill most of it. A small
      // growth would mean that the measurement misses them.
      precondition(growth > limit / 4, "\(growth) bytes")
      model.deliverPending()
      precondition(model.statistics.drains == 1 && model.statistics.composedBatches == 1)
      precondition(observer.isContent)
      precondition(model.audit().complaints == [], "\(model.audit().complaints)")
    }
  #endif
}
