import AsyncLocks
import AtomicProperties
import CForking
@testable import ContentionProfiles
import Foundation
import LazyInitialization
import Lifecycles
import LocksUnderTest
import Protectors
import ReadWriteLocks
import TestSupport
import Testing
import InterlockCore
import InterlockTasks
import InterlockWaits
import UnfairLocks

// Each test in this file runs in a process of its own, because a profile records the waits of all threads of
// the process, including the threads of other tests.

/// A primitive to test, with a closure that holds it and a closure that waits for it.
private struct Case: Sendable {
  let primitive: String
  let purpose: ContentionReport.Purpose
  /// Calls `whileHeld` while the primitive is held, so that `wait` blocks another thread.
  let hold: @Sendable (_ whileHeld: () -> Void) -> Void
  let wait: @Sendable () -> Void
  var knowsReleaser = true
}

/// Calls `hold`; the report must name this function as the releasing function.
@inline(never)
private func holderInTest(_ test: Case, _ body: () -> Void) {
  test.hold(body)
}

/// Calls `wait`; the report must name this function as the waiting function.
@inline(never)
private func waiterInTest(_ test: Case) {
  test.wait()
}

@inline(never)
private func taskHolderInTest(_ body: () async -> Void) async {
  await body()
}

@inline(never)
private func taskWaiterInTest(_ body: () async -> Void) async {
  await body()
}

/// Stores a value without synchronisation; the call of `set` must happen before any other task reads `value`.
private final class Cell: @unchecked Sendable {
  private(set) var value: [ContentionReport.CurrentWait] = []
  func set(_ value: [ContentionReport.CurrentWait]) { self.value = value }
}

private func names(_ function: String, _ functions: [String]?) -> Bool {
  functions?.contains { $0.contains(function) } == true
}

/// Records waits for the primitive of a case, until the report names the functions that waited and released.
///
/// The holder releases the primitive when another thread is about to sleep. That thread may still acquire the
/// primitive without sleeping. The check may therefore need several attempts, each with a new primitive.
///
/// - Parameters:
///   - origin: The text with which the lock's name in the report must end.
///   - hasSource: Whether `origin` includes the source line that makes the lock. If not, more text may follow
///     `origin` in the name.
private func check(origin: String? = nil, hasSource: Bool = true, _ make: () -> Case) {
  var site: ContentionReport.Site?
  var others: [ContentionReport.Source] = []
  var sourceNames: [String] = []
  while site == nil {
    let test = make()
    ContentionProfile.start()
    let isHeld = Signal()
    _ = race(threads: 2) { thread in
      if thread == 0 {
        holderInTest(test) {
          isHeld.send()
          while ContentionProfile.recorder.waitingThreads == 0 { MonotonicClock.sleep(.milliseconds(1)) }
          MonotonicClock.sleep(.milliseconds(1))
        }
      } else {
        isHeld.wait()
        waiterInTest(test)
      }
    }
    ContentionProfile.stop()
    let report = ContentionProfile.report()
    let isContention = test.purpose.isContention
    others = isContention ? report.events : report.locks
    let sources = (isContention ? report.locks : report.events).filter { $0.primitive == test.primitive }
    sourceNames = sources.map(\.name)
    site = sources.flatMap(\.sites).first {
      $0.purpose == test.purpose && names("waiterInTest", $0.waiter)
        && (test.knowsReleaser ? names("holderInTest", $0.releaser) : $0.releaser == nil)
    }
    if let site, site.waits.total > .zero, site.waits.longest >= site.median {
      precondition(site.waits.longest <= report.duration)
      break
    }
    site = nil
  }
  precondition(others.isEmpty)
  if let origin {
    let haveOrigin = sourceNames.allSatisfy {
      hasSource ? $0.hasSuffix(origin) && $0.contains("made") == !origin.isEmpty : $0.contains(origin)
    }
    precondition(haveOrigin, "\(sourceNames)")
  }
}

@Suite("Profile of contention")
struct ContentionProfileTests {
  @Test("With the trait DeadlockDetection it has the label of a lock, and the line that makes it")
  func labels() async {
    await #expect(processExitsWith: .success) {
      #if DeadlockDetection
        let origin = " \"balance\" (made at Bank.swift:7)"
      #else
        let origin = ""
      #endif
      check(origin: origin) {
        let protector = ExclusiveProtector(0, label: "balance", file: "Bank/Bank.swift", line: 7)
        return Case(
          primitive: "ExclusiveProtector", purpose: .exclusiveAccess,
          hold: { body in protector.withLock { _ in body() } }, wait: { protector.withLock { $0 += 1 } })
      }
    }
  }

  @Test("It names the waiting readers and writers, and the releasers, of a protector and of each lock")
  func locks() async {
    typealias Section = @Sendable (_ body: () -> Void) -> Void
    await #expect(processExitsWith: .success) {
      func checkLock(
        _ primitive: String, exempt exemptions: LockUnderTest.Exemptions = [],
        _ make: () -> (read: Section, write: Section)
      ) {
        let isExclusive = exemptions.contains(.readsAreExclusive)
        for (holdsReading, waitsReading) in [(false, false), (false, true), (true, false)] {
          check {
            let (read, write) = make()
            return Case(
              primitive: primitive,
              purpose: isExclusive ? .exclusiveAccess : waitsReading ? .reading : .writing,
              hold: holdsReading ? read : write, wait: { waitsReading ? read {} : write {} },
              knowsReleaser: exemptions.isDisjoint(with: [.neverSleeps, .waitsInTheSystem]))
          }
        }
      }
      checkLock("Protector") {
        let protector = Protector(0)
        return (
          { body in protector.withReadLock { _ in body() } },
          { body in protector.withWriteLock { _ in body() } }
        )
      }
      for candidate in LockUnderTest.all {
        guard let make = candidate.makeTimed else { continue }
        checkLock(candidate.primitive, exempt: candidate.exemptions) {
          let lock = make()
          return ({ body in lock.withReadLock { body() } }, { body in lock.withWriteLock { body() } })
        }
      }
    }
  }

  /// Checks the record of a task's wait for a primitive that another task holds.
  ///
  /// The waiting task may be recorded long before it joins the list of the primitive. If the primitive is
  /// released in between, nobody releases the task. The check may therefore need several attempts.
  ///
  /// - Parameters:
  ///   - hasHolder: Whether the report must name the holder while the task waits.
  ///   - hold: Runs its argument while the primitive is held, and then releases the primitive.
  ///   - wait: Waits for the primitive.
  private static func checkTasks(
    _ primitive: String, _ purpose: ContentionReport.Purpose, hasHolder: Bool,
    hold: @escaping @Sendable (@Sendable () async -> Void) async -> Void,
    wait: @escaping @Sendable () async -> Void
  ) async {
    var text = ""
    for _ in 0..<100 {
      let (report, current) = await recordTasks(hold: hold, wait: wait)
      let sources = purpose.isContention ? report.locks : report.events
      text = "\(current)\n\(report.text())"
      guard sources.count == 1, sources[0].primitive == primitive, current.count == 1 else { continue }
      let (site, wait) = (sources[0].sites[0], current[0])
      let isRecorded =
        site.purpose == purpose && site.waits.count == 1 && site.waits.total > .zero
        && names("taskWaiterInTest", site.waiter) && names("taskHolderInTest", site.releaser)
      if isRecorded, wait.thread.hasPrefix("task 0x"), (wait.holder != nil) == hasHolder,
        names("taskWaiterInTest", wait.waiter)
      {
        return
      }
    }
    preconditionFailure(text)
  }

  /// Makes a task wait for a primitive that another task holds.
  ///
  /// Returns the report on it, and the waits under way before the primitive is released.
  private static func recordTasks(
    hold: @escaping @Sendable (@Sendable () async -> Void) async -> Void,
    wait: @escaping @Sendable () async -> Void
  ) async -> (ContentionReport, [ContentionReport.CurrentWait]) {
    ContentionProfile.start()
    let isHeld = Signal()
    let current = Cell()
    async let holder: Void = taskHolderInTest {
      await hold {
        isHeld.send()
        while ContentionProfile.recorder.waitingThreads == 0 { try? await Task.sleep(for: .milliseconds(1)) }
        try? await Task.sleep(for: .milliseconds(1))
        current.set(ContentionProfile.report().current)
      }
    }
    while !isHeld.isSent { try? await Task.sleep(for: .milliseconds(1)) }
    await taskWaiterInTest(wait)
    await holder
    ContentionProfile.stop()
    return (ContentionProfile.report(), current.value)
  }

  @Test("It names the tasks that wait, and those that make them wait")
  func tasks() async {
    await #expect(processExitsWith: .success) {
      let mutex = AsyncMutex(0)
      await Self.checkTasks(
        "AsyncMutex", .exclusiveAccess, hasHolder: true,
        hold: { body in await mutex.withLock { _ in await body() } },
        wait: { await mutex.withLock { $0 += 1 } })
      await Self.checkTasks(
        "AsyncMutex", .exclusiveAccess, hasHolder: true,
        hold: { body in await mutex.withLock { _ in await body() } },
        wait: { try? await mutex.withLock(timeout: .seconds(600)) { $0 += 1 } })
      let semaphore = AsyncSemaphore(permits: 1)
      await Self.checkTasks(
        "AsyncSemaphore", .permit, hasHolder: false,
        hold: { body in await semaphore.withPermit { await body() } },
        wait: { await semaphore.withPermit {} })
      await Self.checkTasks(
        "AsyncSemaphore", .permit, hasHolder: false,
        hold: { body in await semaphore.withPermit { await body() } },
        wait: { try? await semaphore.withPermitUnlessCancelled {} })
      let protector = Protector(0)
      await Self.checkTasks(
        "waitingUntil", .predicate, hasHolder: false,
        hold: { body in
          await body()
          protector.withWriteLock { $0 = 1 }
        },
        wait: { _ = try? await protector.withWriteLock(waitingUntil: { $0 == 1 }) { $0 = 0 } })
    }
  }

  @Test("It names the waiter and the releaser of each kind of object, with the name that the program gives")
  func namesOfObjects() async {
    await #expect(processExitsWith: .success) {
      check(origin: " \"accounts\"", hasSource: false) {
        let protector = Protector(0)
        ContentionProfile.name(protector, "accounts")
        return Case(
          primitive: "Protector", purpose: .writing,
          hold: { body in protector.withWriteLock { _ in body() } },
          wait: { protector.withWriteLock { $0 += 1 } })
      }
      check(origin: " \"balance\"", hasSource: false) {
        let property = AtomicProperty(0)
        ContentionProfile.name(property, "balance")
        return Case(
          primitive: "AtomicProperty", purpose: .exclusiveAccess,
          hold: { body in property.update { _ in body() } }, wait: { property.value += 1 })
      }
      check(origin: " \"session\"", hasSource: false) {
        let box = LifecycleBox()
        ContentionProfile.name(box.lifecycle, "session")
        box.lifecycle.activate()
        return Case(
          primitive: "Lifecycle", purpose: .completion,
          hold: { body in _ = box.lifecycle.whileActive { body() } }, wait: { box.lifecycle.invalidate() })
      }
      check(origin: " \"cache\"", hasSource: false) {
        let cache = Box()
        ContentionProfile.name(cache, "cache")
        return Case(
          primitive: "UnfairLock", purpose: .exclusiveAccess,
          hold: { body in cache.lock.withLock { body() } }, wait: { cache.lock.withLock {} })
      }
      check(hasSource: false) {
        let queue = TaskWaiterQueue()
        return Case(
          primitive: "internal lock", purpose: .exclusiveAccess,
          hold: { body in queue.withList { _ in body() } }, wait: { queue.withList { _ in } })
      }
    }
  }

  @Test("A report is written on call, and an error says which file can't be")
  func writing() async {
    await #expect(processExitsWith: .success) {
      ContentionProfile.start()
      let path = temporaryPath("contention")
      try ContentionProfile.writeReport(to: path + ".txt")
      let text = try String(contentsOfFile: path + ".txt", encoding: .utf8)
      precondition(text.hasPrefix("Contention in "))
      try FileManager.default.removeItem(atPath: path + ".txt")
      do throws(ContentionProfile.WriteError) {
        try ContentionProfile.writeReport(to: path + "/%p")
        preconditionFailure()
      } catch {
        let process = ProcessInfo.processInfo.processIdentifier
        precondition(error == ContentionProfile.WriteError(path: path + "/\(process)", code: ENOENT))
      }
    }
  }

  @Test("The functions of modules that are hidden are no client's")
  func hiding() async {
    await #expect(processExitsWith: .success) {
      ContentionProfile.start()
      var stacks: [[String]] = []
      while stacks.isEmpty {
        Self.contend()
        stacks = ContentionProfile.report().locks.flatMap(\.sites).map(\.waiter)
      }
      precondition(stacks.allSatisfy { names("contend", $0) })
      for site in ContentionProfile.report(hiding: ["ContentionProfilesTests"]).locks.flatMap(\.sites) {
        precondition(!names("contend", site.waiter))
        precondition(names("contend", site.waitingStack.frames.map(\.function)))
      }
    }
  }

  @Test("It names the waiters for a value, an activation and a predicate, and who ends the wait")
  func events() async {
    await #expect(processExitsWith: .success) {
      check {
        let box = Box()
        return Case(
          primitive: "Once", purpose: .initialization, hold: { body in box.once.run { body() } },
          wait: { box.once.run {} })
      }
      check {
        let box = Box()
        return Case(
          primitive: "Once", purpose: .initialization,
          hold: { body in
            try? box.once.run {
              body()
              throw CancellationError()
            }
          },
          wait: { box.once.run {} })
      }
      check {
        let box = Box()
        return Case(
          primitive: "OnceCell", purpose: .initialization,
          hold: { body in
            _ = box.cell.withValue(orInitialize: {
              body(); return 1
            }) { $0 }
          },
          wait: { _ = box.cell.withValue(orInitialize: { 2 }) { $0 } })
      }
      check {
        let lifecycle = LifecycleBox()
        return Case(
          primitive: "activation of Lifecycle", purpose: .completion,
          hold: { body in lifecycle.lifecycle.activate { body() } }, wait: { lifecycle.lifecycle.activate() })
      }
      check {
        let protector = Protector(0)
        return Case(
          primitive: "waitingUntil", purpose: .predicate,
          hold: { body in
            body()
            protector.withWriteLock { $0 = 1 }
          },
          wait: { protector.withWriteLock(waitingUntil: { $0 == 1 }) { _ in } })
      }
    }
  }

  /// Makes a thread wait for a lock that another thread holds for 20 ms.
  ///
  /// On a busy machine, the thread may arrive after the release, and then does not wait.
  private static func contend() {
    let box = Box()
    let isHeld = Signal()
    _ = race(threads: 2) { thread in
      if thread == 0 {
        box.lock.withLock {
          isHeld.send()
          MonotonicClock.sleep(.milliseconds(20))
        }
      } else {
        isHeld.wait()
        box.lock.withLock {}
      }
    }
  }

  @Test("Nothing is recorded while no profile is on")
  func off() async {
    await #expect(processExitsWith: .success) {
      Self.contend()
      ContentionProfile.start()
      ContentionProfile.stop()
      Self.contend()
      let report = ContentionProfile.report()
      precondition(report.locks.isEmpty && report.events.isEmpty && !ContentionProfile.isOn)
    }
  }

  @Test("A profile that is resumed keeps its records and adds to them; one that is started begins anew")
  func resumed() async {
    await #expect(processExitsWith: .success) {
      // Repeats the attempt, because a thread that finds the lock released before it sleeps has no recorded
      // wait.
      func contend(until isEnough: (Int) -> Bool) {
        let hasWaited = (0..<100).contains { _ in
          Self.contend()
          return isEnough(ContentionProfile.report().waits.count)
        }
        precondition(hasWaited)
      }
      ContentionProfile.start()
      contend { $0 > 0 }
      ContentionProfile.stop()
      let first = ContentionProfile.report()
      ContentionProfile.resume()
      precondition(ContentionProfile.isOn && ContentionProfile.report().waits.count == first.waits.count)
      ContentionProfile.resume()
      contend { $0 > first.waits.count }
      ContentionProfile.stop()
      let second = ContentionProfile.report()
      precondition(second.waits.total > first.waits.total && second.duration > first.duration)
      ContentionProfile.start()
      precondition(ContentionProfile.report().waits.count == 0)
    }
  }

  @Test("The duration of a report is that of the recordings since the start")
  func durations() async {
    await #expect(processExitsWith: .success) {
      func duration() -> Duration { ContentionProfile.report().duration }
      precondition(duration() == .zero)
      let begin = MonotonicClock.now
      ContentionProfile.start()
      MonotonicClock.sleep(.milliseconds(2))
      let first = duration()
      precondition(first >= .milliseconds(2))
      // During a recording, `resume` must have no effect.
      ContentionProfile.resume()
      precondition(duration() >= first)
      ContentionProfile.stop()
      let second = duration()
      precondition(second >= first && second <= .nanoseconds(MonotonicClock.now - begin))
      MonotonicClock.sleep(.milliseconds(2))
      // Without a recording, `stop` must have no effect.
      ContentionProfile.stop()
      precondition(duration() == second)
      ContentionProfile.resume()
      MonotonicClock.sleep(.milliseconds(2))
      ContentionProfile.stop()
      precondition(duration() >= second + .milliseconds(2))
      let restart = MonotonicClock.now
      ContentionProfile.start()
      precondition(duration() <= .nanoseconds(MonotonicClock.now - restart))
    }
  }

  @Test("Nothing is recorded in a child made by fork until it starts")
  func child() async {
    await #expect(processExitsWith: .success) {
      ContentionProfile.start()
      let finding = in_forked_child { ContentionProfile.isOn ? 1 : 0 }
      precondition(finding == 0 && ContentionProfile.isOn)
    }
  }

  @Test("A handler that the program has registered before may wait for a lock during a fork")
  func forkHandler() async {
    await #expect(processExitsWith: .success) {
      pthread_atfork({ LockOfForkHandler.value.withLock { $0 += 1 } }, nil, nil)
      ContentionProfile.start()
      let isInside = Signal()
      let thread = PlatformThread {
        LockOfForkHandler.value.withLock { _ in
          isInside.send()
          MonotonicClock.sleep(.milliseconds(50))
        }
      }
      isInside.wait()
      let finding = in_forked_child { 0 }
      thread.join()
      precondition(finding == 0 && LockOfForkHandler.value.value == 1)
    }
  }
}

// MARK: Primitives that can't be captured

private enum LockOfForkHandler {
  static let value = ExclusiveProtector(0)
}

private final class Box: Sendable {
  let lock = UnfairLock()
  let once = Once()
  let cell = OnceCell<Int>()
}

private final class LifecycleBox: Sendable {
  let lifecycle = Lifecycle(label: "ContentionProfileTests")

  deinit { lifecycle.invalidate() }
}
