import AtomicProperties
import TestSupport
import Testing

/// Tests the traps of accesses that are suspended at an `await`.
///
/// `await change(&property.value)` compiles, and its access lasts until `change` returns.
@Suite struct SuspendedAccessCrashTests {
  private static func unlockedElsewhere(_ primitive: String) -> String {
    "\(primitive): unlocked by a thread that does not hold it: an access was suspended at an await and resumed on another thread; "
      + "await before or after the access"
  }

  // MARK: Another thread resumes the task

  @Test func anAtomicPropertyReleasedOnAnotherThreadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let property = AtomicProperty(0)
      await Task.detached(executorPreference: ThreadPerPart()) { await changeLater(&property.value) }.value
    }
    #expect(result?.standardErrorContent.trap == Self.unlockedElsewhere("AtomicProperty"))
  }

  @Test func aQueuePropertyReleasedOnAnotherThreadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let property = QueueProperty(0)
      await Task.detached(executorPreference: ThreadPerPart()) { await changeLater(&property.value) }.value
    }
    #expect(result?.standardErrorContent.trap == Self.unlockedElsewhere("QueueProperty"))
  }

  // MARK: Another task comes on the thread of the suspended one

  @Test func anAtomicPropertyWantedOnTheThreadOfASuspendedAccessTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let property = AtomicProperty(0)
      Task { @MainActor in await neverReturn(&property.value) }
      await Task { @MainActor in
        while true {
          property.value += 1
          await Task.yield()
        }
      }.value
    }
    #expect(
      result?.standardErrorContent.trap
        == "AtomicProperty: accessed inside an access on the same thread, which may be that of a task suspended at an await; "
        + "use the value that is being changed, and await before or after the access")
  }

  @Test func aQueuePropertyWantedOnTheThreadOfASuspendedAccessTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let property = QueueProperty(0)
      Task { @MainActor in await neverReturn(&property.value) }
      await Task { @MainActor in
        while true {
          property.value += 1
          await Task.yield()
        }
      }.value
    }
    #expect(
      result?.standardErrorContent.trap
        == "QueueProperty: used inside its own modification, on the same thread, which may be that of a task suspended at an await; "
        + "use the value that is being modified, and await before or after the modification")
  }
}

/// Adds 1 to `value` on the main thread, so that the calling task resumes on a new thread of its
/// `ThreadPerPart`.
///
/// After a mere `Task.yield()`, the task may resume on the same thread.
@MainActor private func changeLater(_ value: inout Int) async {
  value += 1
}

@MainActor private func neverReturn(_ value: inout Int) async {
  while true {
    await Task.yield()
    value += 1
  }
}

/// An executor that runs each part of a task, from one suspension to the next, on a new thread.
///
/// The threads never end, so no thread gets the identifier of an earlier one.
private final class ThreadPerPart: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    PlatformThread {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
      while true { MonotonicClock.sleep(.seconds(1)) }
    }.detach()
  }
}
