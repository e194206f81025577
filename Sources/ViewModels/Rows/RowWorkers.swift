internal import Jobs
internal import Protectors

/// The threads that edit the rows of a generation, until this handle is destroyed.
///
/// The destruction wakes and stops the threads, and does not wait for them: it may happen on one of them, if
/// the configuration's closures hold the last reference to the model. `join()` and `stop()` wait. The threads
/// hold the generation, and neither the model nor its observer.
struct RowWorkers: ~Copyable {
  private let flag = StopFlag()
  /// The number of threads that have not ended their last edit.
  let running: ExclusiveProtector<Int>
  private var threads: JoinedThreads?

  init(_ count: Int, editing generation: RowsGeneration, _ configuration: RowsConfiguration) {
    let running = ExclusiveProtector(count, label: "running workers")
    self.running = running
    let flag = flag
    threads = JoinedThreads(count) { number in
      var worker = RowWorker(number: number, random: configuration.makeRandom(number))
      worker.edit(generation, configuration, until: flag)
      running.withLock { $0 -= 1 }
    }
  }

  deinit {
    flag.set()
    threads?.detach()
  }

  var count: Int { running.withLock { $0 } }

  /// Stops the threads and waits for them; the generation must have ended, so that none waits for room.
  consuming func join() {
    flag.set()
    threads.take()?.join()
  }

  /// Stops the threads and waits for them; the main actor can make room meanwhile.
  @MainActor
  consuming func stop() async {
    flag.set()
    await Self.waitUntilNoneRuns(running)
    threads.take()?.join()
  }

  @MainActor
  static func waitUntilNoneRuns(_ running: ExclusiveProtector<Int>) async {
    // In a task of its own, which is not cancelled with this one.
    _ = await Task { try? await running.withLock(waitingUntil: { $0 == 0 }) { _ in } }.value
  }
}

/// The work of one thread.
private struct RowWorker {
  let number: Int
  var random: any RandomNumberGenerator

  /// Inserts a row immediately, then alternates between sleeping and random edits.
  mutating func edit(_ generation: RowsGeneration, _ configuration: RowsConfiguration, until flag: StopFlag) {
    var edit = RowEdit.insert("thread-\(number)", at: .share(random.next()))
    while generation.applyWaiting(edit) != .ended {
      // A speed below 10⁻⁹ counts as 10⁻⁹, because a `Duration` has a maximum.
      let nap =
        Duration.milliseconds(Int.random(in: 1_000...4_000, using: &random)) / max(configuration.speed, 1e-9)
      if nap > .zero { configuration.sleep(nap, flag) }
      if flag.isSet { return }
      edit = nextEdit()
    }
  }

  private mutating func nextEdit() -> RowEdit {
    let choice = Int.random(in: 0..<100, using: &random)
    let position = RowPosition.share(random.next())
    return switch choice {
    case 0..<20: .insert("thread-\(number)", at: position)
    case 20..<30: .remove(position)
    default: .append("-\(number)", to: position)
    }
  }
}
