import AtomicProperties
import Dispatch
import TestSupport
import Testing

/// Tests every misuse that traps; each is committed in a process of its own.
@Suite struct PropertyCrashTests {
  private static let accessedInside =
    "AtomicProperty: accessed inside an access on the same thread, which may be that of a task suspended at an await; "
    + "use the value that is being changed, and await before or after the access"
  private static let usedInside =
    "QueueProperty: used inside its own modification, on the same thread, which may be that of a task suspended at an await; "
    + "use the value that is being modified, and await before or after the modification"
  private static let usedOnItsQueue =
    "QueueProperty: used on its own queue 'own', which would wait for itself; "
    + "call from another queue, or use the value that update(_:) passes in"
  private static func resumedElsewhere(_ primitive: String) -> String {
    "\(primitive): unlocked by a thread that does not hold it: an access was suspended at an await and resumed on another thread; "
      + "await before or after the access"
  }

  private static let misuses = [
    Misuse(accessedInside) {
      let property = AtomicProperty(1)
      property.update { $0 += property.value }
    },
    Misuse(accessedInside) {
      let property = AtomicProperty(1)
      swap(&property.value, &property.value)
    },
    Misuse("LockFreeProperty: made for UInt128, which takes more than 8 bytes", "use AtomicProperty") {
      _ = LockFreeProperty(UInt128(1))
    },
    Misuse(usedOnItsQueue) {
      let property = QueueProperty(1, on: DispatchQueue(label: "own"))
      property.update { $0 += property.value }
    },
    Misuse(usedOnItsQueue) {
      let queue = DispatchQueue(label: "own")
      let property = QueueProperty(1, on: queue)
      queue.sync { _ = property.value }
    },
    // The modification runs code on another queue but on the same thread, which accesses the property again. The
    // lock identifies its owner by the thread, so it detects the recursion.
    Misuse(usedInside) {
      let property = QueueProperty(1)
      property.update { _ in DispatchQueue(label: "other").sync { _ = property.value } }
    },
    Misuse(usedInside) {
      let property = QueueProperty(1)
      swap(&property.value, &property.value)
    },
    Misuse(
      "QueueProperty: used off the queue 'own' where it must be on it",
      "enter the queue first, with sync or async"
    ) {
      QueueProperty(1, on: DispatchQueue(label: "own")).preconditionOnQueue()
    },
    // `await change(&property.value)` compiles, and its access lasts until `change` returns. Another thread resumes
    // the task.
    Misuse(resumedElsewhere("AtomicProperty")) {
      let property = AtomicProperty(0)
      await Task.detached(executorPreference: ThreadPerPart()) { await changeLater(&property.value) }.value
    },
    Misuse(resumedElsewhere("QueueProperty")) {
      let property = QueueProperty(0)
      await Task.detached(executorPreference: ThreadPerPart()) { await changeLater(&property.value) }.value
    },
    // Another task comes on the thread of the suspended one.
    Misuse(accessedInside) {
      let property = AtomicProperty(0)
      Task { @MainActor in await neverReturn(&property.value) }
      await Task { @MainActor in await neverReturn(&property.value) }.value
    },
    Misuse(usedInside) {
      let property = QueueProperty(0)
      Task { @MainActor in await neverReturn(&property.value) }
      await Task { @MainActor in await neverReturn(&property.value) }.value
    },
    Misuse("SequentialModel: compared with a history of 65 operations", "perform at most 64") {
      _ = LinearizabilityTests.Register()
        .explains((0..<65).map { .init(.load, 0, began: $0, ended: $0 + 1) })
    },
  ]

  @Test(arguments: misuses.indices) func misuseTraps(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      try await Self.misuses[index].commit()
    }
    #expect(result?.standardErrorContent.trap == Self.misuses[index].message)
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
