@testable import ContentionProfiles
import Foundation
@testable import InterlockCore
import LazyInitialization
import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests `Recorder` by calling it as the slow paths of locks do, but with made-up times in nanoseconds.
@Suite("Recorder")
struct RecorderTests {
  private static let kinds = (1...22).map { PrimitiveKind("kind", .init(rawValue: $0)) }
  private let recorder = Recorder(sites: 12, mergedSites: 6)

  private func begun(
    _ lock: UInt, at began: UInt64, kind: PrimitiveKind = .unfairLock, mode: LockMode = .write,
    task: UInt64 = 0, holder: HolderLookup? = nil
  ) -> BegunWait {
    BegunWait(
      lock: lock, primitive: Primitive(kind), mode: mode, wakingKey: lock, began: began, task: task,
      holder: holder)
  }

  private func willSleep(_ lock: UInt, at began: UInt64) -> UInt64 {
    recorder.willSleep(begun(lock, at: began))
  }

  private func end(
    _ lock: UInt, _ ticket: UInt64, began: UInt64, at now: UInt64, kind: PrimitiveKind = .unfairLock,
    mode: LockMode = .write
  ) {
    recorder.ended(begun(lock, at: began, kind: kind, mode: mode), ticket, at: now)
  }

  /// Records a wait for `lock` that lasts from `began` until the release of the lock at `now`.
  private func wait(
    _ lock: UInt, from began: UInt64, to now: UInt64, kind: PrimitiveKind = .unfairLock
  ) {
    let ticket = willSleep(lock, at: began)
    recorder.released(lock, at: now)
    end(lock, ticket, began: began, at: now, kind: kind)
  }

  @Test("The figures of a site are those of its waits", arguments: [[1000, 2000, 9000] as [UInt64]])
  func figures(lengths: [UInt64]) throws {
    recorder.start()
    // The optimizer would unroll a loop over a literal, and each copy of the loop's body would be a site.
    for length in lengths { wait(64, from: 500, to: 500 + length) }
    let entry = try #require(recorder.contents().entries.first)
    #expect(recorder.contents().entries.count == 1)
    #expect(entry.site.lock == 64 && entry.figures.waits == 3)
    #expect(entry.figures.total == 12000 && entry.figures.longest == 9000)
    #expect(entry.figures.blocked == 12000 && entry.figures.longestBlocked == 9000)
    #expect(entry.figures.histogram.reduce(0, +) == 3)
    #expect(!entry.site.waiter.isEmpty && !entry.site.releaser.isEmpty)
  }

  @Test("The time in which a lock kept threads waiting counts once, however many wait")
  func blocked() {
    recorder.start()
    // Two threads arrive at 1000 ns and 2000 ns. The lock is released at 5000 ns and at 9000 ns, so it is
    // blocked for 8000 ns in all.
    let first = willSleep(64, at: 1000)
    let second = willSleep(64, at: 2000)
    recorder.released(64, at: 5000)
    end(64, first, began: 1000, at: 5100)
    recorder.released(64, at: 9000)
    end(64, second, began: 2000, at: 9200)
    let entries = recorder.contents().entries
    #expect(entries.reduce(0) { $0 + $1.figures.blocked } == 8000)
    #expect(entries.reduce(0) { $0 + $1.figures.total } == 4100 + 7200)
  }

  @Test("A report begins with the holder that blocked a lock for longest, although others end longer waits")
  func sitesByBlockedTime() {
    recorder.start()
    // A writer and a reader wait from 1000 ns. Another thread holds the lock until 9000 ns, and then the
    // writer until 9500 ns. The reader waits longer, but the writer's wait must get more blocked time.
    let writer = willSleep(64, at: 1000)
    let reader = willSleep(64, at: 1000)
    recorder.released(64, at: 9000)
    end(64, writer, began: 1000, at: 9000, kind: .protector)
    recorder.released(64, at: 9500)
    end(64, reader, began: 1000, at: 9500, kind: .protector, mode: .read)
    var symbols = Symbols()
    let report = ContentionReport(recorder.contents(), &symbols)
    let sites = report.locks[0].sites
    #expect(sites.map(\.purpose) == [.writing, .reading])
    #expect(sites.map(\.waits.blocked) == [.nanoseconds(8000), .nanoseconds(500)])
    #expect(sites.map(\.waits.total) == [.nanoseconds(8000), .nanoseconds(8500)])
  }

  @inline(never)
  private func releaseAfterLongSection(at now: UInt64) { recorder.released(64, at: now) }

  @inline(never)
  private func releaseAfterShortSection(at now: UInt64) { recorder.released(64, at: now) }

  @Test("A thread that barges in before a waiting thread wakes is not blamed for the holder before it")
  func barging() throws {
    recorder.start()
    let ticket = willSleep(64, at: 1000)
    releaseAfterLongSection(at: 9000)
    releaseAfterShortSection(at: 9100)
    end(64, ticket, began: 1000, at: 9200)
    var symbols = Symbols()
    let report = ContentionReport(recorder.contents(), &symbols)
    let site = try #require(report.locks[0].sites.first)
    #expect(site.waits.blocked == .nanoseconds(8100))
    let functions = try #require(site.releasingStack).frames.map(\.function)
    #expect(functions.contains { $0.contains("releaseAfterLongSection") })
  }

  @Test("The figures of two sites are added, or the greater one is kept")
  func sumOfFigures() {
    let one = WaitFigures(waits: 1, total: 9, longest: 9, blocked: 2, longestBlocked: 2)
    let other = WaitFigures(waits: 2, total: 8, longest: 6, blocked: 8, longestBlocked: 5)
    for (var sum, other) in [(one, other), (other, one)] {
      sum.histogram[3] = 1
      var other = other
      other.histogram[3] = 2
      sum.add(other)
      #expect(sum.waits == 3 && sum.total == 17 && sum.longest == 9)
      #expect(sum.blocked == 10 && sum.longestBlocked == 5 && sum.histogram[3] == 3)
    }
  }

  @Test("The number of the process stands wherever the path has %p")
  func pathOfReport() {
    let process = ProcessInfo.processInfo.processIdentifier
    #expect(ReportFile.processPath("%p.txt") == "\(process).txt")
    #expect(ReportFile.processPath("report-%p") == "report-\(process)")
    #expect(ReportFile.processPath("%p/%p") == "\(process)/\(process)")
    #expect(ReportFile.processPath("report") == "report")
  }

  @Test("Waits that have not ended are listed with their holders, until they end or the recording does")
  func currentWaits() throws {
    recorder.start()
    var tickets: [UInt64] = []
    let task: UInt64 = 1 << 40
    // Thread 1 holds lock 64, for which a task waits. Three readers hold lock 128.
    tickets.append(recorder.willSleep(begun(64, at: 1000, task: task, holder: { _ in 1 })))
    tickets.append(
      recorder.willSleep(begun(128, at: 2000, kind: .protector, holder: { _ in LockHolders.readers | 3 })))
    // The task that waits for lock 64, with the number `1 << 40`, holds lock 192.
    tickets.append(recorder.willSleep(begun(192, at: 3000, holder: { $0 == 192 ? 1 << 40 : 1 })))
    // A wait for a `Once` has no known holder. A wait for an event must come last, although it has taken
    // longest.
    tickets.append(recorder.willSleep(begun(256, at: 4000, kind: .once)))
    tickets.append(recorder.willSleep(begun(320, at: 500, kind: .predicate)))
    var symbols = Symbols()
    func report() -> ContentionReport {
      ContentionReport(
        recorder.contents(), &symbols,
        names: [64 + lockKeyOffset: "\"accounts\""],
        now: 5000)
    }
    let current = report().current
    #expect(current.map(\.duration) == [4000, 3000, 2000, 1000, 4500].map { .nanoseconds($0) })
    #expect(
      current.map(\.purpose) == [.exclusiveAccess, .writing, .exclusiveAccess, .initialization, .predicate])
    #expect(current[0].name == "UnfairLock 0x50 \"accounts\"" && current[0].thread == "task 0x10000000000")
    #expect(current[1].holder == "3 readers")
    #expect(current[1].thread == "thread \(ThreadIdentity.current)")
    #expect(current[2].holder == "task 0x10000000000")
    #expect(current[3].holder == nil && !current[3].waiter.isEmpty)
    for (lock, ticket) in zip([64, 128, 192] as [UInt], tickets) { end(lock, ticket, began: 1000, at: 6000) }
    #expect(report().current.map(\.purpose) == [.initialization, .predicate])
    recorder.stop()
    #expect(report().current.isEmpty)
    recorder.resume()
    #expect(report().current.isEmpty)
  }

  @Test("A thread whose wait ends while a report asks for the holder waits for the report")
  func holderOfEndedWait() {
    let recorder = recorder
    recorder.start()
    // Each word stands for a lock, and its value is the lock's owner: 7 while a thread waits for the lock,
    // and 8 after that. A report that reads 8 would have used a lock that may no longer exist.
    nonisolated(unsafe) let owners = UnsafeMutablePointer<UInt64>.allocate(capacity: 64)
    owners.initialize(repeating: 7, count: 64)
    defer { owners.deallocate() }
    let rounds = StressSize.pick(quick: 2_000, full: 100_000)
    let isOver = RelaxedCounter()
    _ = race(threads: 3) { thread in
      if thread == 0 {
        while isOver.value < 2 {
          for wait in recorder.contents().current.values where wait.holder != 7 {
            Issue.record("no such lock")
          }
        }
        return
      }
      let word = owners + thread
      for _ in 0..<rounds {
        word.pointee = 7
        let wait = begun(
          UInt(bitPattern: word), at: 1000,
          holder: { UnsafePointer<UInt64>(bitPattern: $0)!.pointee })
        let ticket = recorder.willSleep(wait)
        recorder.ended(wait, ticket, at: 2000)
        // From here on, a report must not read the owner of this lock.
        word.pointee = 8
      }
      isOver.add(1)
    }
  }

  @Test("Locks that the same code uses are one line if there are eight, and no name tells them apart")
  func manyLocksOfOneSite() {
    for (count, lines) in [(7, 8), (8, 2), (12, 2)] {
      let recorder = Recorder()
      recorder.start()
      for lock in 1...count + 1 {
        let wait = begun(UInt(lock * 64), at: 1000)
        let ticket = recorder.willSleep(wait)
        recorder.released(UInt(lock * 64), at: 2000)
        recorder.ended(wait, ticket, at: 2000 + UInt64(lock))
      }
      var symbols = Symbols()
      let report = ContentionReport(
        recorder.contents(), &symbols, names: [64 + lockKeyOffset: "\"accounts\""]
      )
      #expect(report.locks.count == lines && report.waits.count == count + 1)
      #expect(report.locks.contains { $0.name == "UnfairLock 0x50 \"accounts\"" })
      let sum = report.locks.reduce(0) { $0 + ($1.locks ?? 0) }
      #expect(sum == count + 1)
      #expect(report.locks.contains { $0.name == "\(count) × UnfairLock" } == (count >= 8))
    }
  }

  @Test("The profile has room for 12 000 pairs of locks and stacks")
  func manyPairs() {
    let recorder = Recorder()
    recorder.start()
    for lock in 1...12_000 {
      let wait = begun(UInt(lock * 64), at: 1000)
      recorder.ended(wait, recorder.willSleep(wait), at: 3000)
    }
    let contents = recorder.contents()
    #expect(contents.entries.count == 12_000 && contents.lostWaits == 0)
    #expect(contents.entries.allSatisfy { $0.site.lock != 0 })
    // These waits have ended without a release.
    #expect(contents.entries.allSatisfy { $0.site.releaser.isEmpty })
    #expect(contents.entries.allSatisfy { $0.figures.blocked == 0 && $0.figures.total == 2000 })
  }

  @Test("A name is that of the locks inside the object, and says when the object is gone")
  func names() {
    final class Shop {
      let prices = NamedObject()
      let stock = NamedObject()
    }
    var names = ObjectNames()
    var shop: Shop? = Shop()
    let other = Shop()
    let start = UInt(bitPattern: ObjectIdentifier(shop!))
    let end = start + UInt(MemoryLayout<Int>.size * 4)
    #expect(names.add("shop", shop!).isEmpty)
    _ = names.add("other", other)
    let addresses: Set<UInt> = [start - 1, start, start + 16, end - 1, end]
    func found() -> [UInt] {
      names.names(at: addresses).filter { $0.value.hasPrefix("\"shop\"") }.keys.sorted()
    }
    #expect(found() == [start, start + 16, end - 1])
    #expect(names.names(at: [start]) == [start: "\"shop\""])
    _ = names.add("shop", shop!)
    #expect(names.names(at: [start]) == [start: "\"shop\""])
    shop = nil
    #expect(names.names(at: [start])[start]?.contains("\"shop\" (deallocated)") == true)
  }

  @Test("The names of many deallocated objects are forgotten, the earliest first, and those of others never")
  func manyNames() {
    var names = ObjectNames()
    let kept = NamedObject()
    _ = names.add("kept", kept)
    for _ in 0..<20_000 { _ = names.add("short", NamedObject()) }
    #expect(names.count < 5 * ObjectNames.mostDeallocated)
    let address = UInt(bitPattern: ObjectIdentifier(kept))
    #expect(names.names(at: [address])[address] == "\"kept\"")
  }

  @Test("A lock without waiters begins anew")
  func rest() {
    recorder.start()
    wait(64, from: 1000, to: 2000)
    recorder.released(64, at: 50_000)
    wait(64, from: 90_000, to: 91_000)
    #expect(recorder.contents().entries.reduce(0) { $0 + $1.figures.blocked } == 2000)
  }

  @Test("Thousands of locks that are waited for at the same time each have their releaser")
  func manyLocks() {
    let recorder = Recorder()
    recorder.start()
    let locks = (1...2000).map { UInt($0 * 64) }
    let tickets = locks.map { recorder.willSleep(begun($0, at: 1000)) }
    for lock in locks { recorder.released(lock, at: 2000) }
    for (lock, ticket) in zip(locks, tickets) {
      recorder.ended(begun(lock, at: 1000), ticket, at: 3000)
    }
    let entries = recorder.contents().entries
    #expect(entries.count == 2000)
    #expect(entries.allSatisfy { $0.figures.total == 2000 && $0.figures.blocked == 1000 })
    #expect(entries.allSatisfy { !$0.site.releaser.isEmpty })
  }

  @Test("Too many locks are counted by their stacks, then lost and counted; a start forgets everything")
  func overflow() {
    func record() -> Recorder.State {
      recorder.start()
      let isEmpty = recorder.contents().entries.isEmpty && recorder.contents().lostWaits == 0
      #expect(isEmpty && recorder.contents().lostTime == 0)
      for lock in 1...100 { wait(UInt(lock * 64), from: 1000, to: 2000) }
      let merged = recorder.contents().entries.filter { $0.site.lock == 0 }
      #expect(merged.map(\.site.primitive.kind) == [.unfairLock] && recorder.contents().lostWaits == 0)
      for kind in Self.kinds { wait(64_000, from: 1000, to: 2000, kind: kind) }
      return recorder.contents()
    }
    let contents = [record(), record()]
    for contents in contents {
      #expect(contents.entries.count { $0.site.lock != 0 } == 12 && contents.entries.count == 18)
      #expect(contents.lostWaits > 0 && contents.lostTime == contents.lostWaits * 1000)
      let waits = contents.entries.reduce(0) { $0 + $1.figures.waits } + contents.lostWaits
      #expect(waits == UInt64(100 + Self.kinds.count))
    }
    for entry in contents[1].entries { #expect(!entry.site.waiter.isEmpty && !entry.site.releaser.isEmpty) }
  }

  @Test("Nothing is recorded before the start, after the stop, or of a wait from before the start")
  func runs() {
    wait(64, from: 1000, to: 2000)
    recorder.start()
    #expect(recorder.contents().entries.isEmpty)
    let ticket = willSleep(64, at: 1000)
    recorder.start()
    end(64, ticket, began: 1000, at: 2000)
    #expect(recorder.contents().entries.isEmpty && recorder.waitingThreads == 0)
    wait(64, from: 1000, to: 2000)
    recorder.stop()
    wait(64, from: 1000, to: 2000)
    #expect(recorder.contents().entries.map(\.figures.waits) == [1])
  }

  @Test("Threads that record at the same time lose nothing")
  func threads() {
    recorder.start()
    let rounds = 2000
    _ = race(threads: 4) { thread in
      for round in 0..<rounds { wait(UInt(64 * (1 + round % 3)), from: 1000, to: 2000) }
    }
    let entries = recorder.contents().entries
    #expect(entries.reduce(0) { $0 + $1.figures.waits } == UInt64(4 * rounds))
    #expect(entries.reduce(0) { $0 + $1.figures.total } == UInt64(4 * rounds * 1000))
    #expect(recorder.contents().lostWaits == 0)
  }

  @Test("A recording that begins again while threads record has the waits since then alone")
  func restarts() {
    _ = race(threads: 3) { thread in
      for _ in 0..<200 {
        if thread == 0 { recorder.start() } else { wait(64, from: 1000, to: 2000) }
      }
    }
    recorder.start()
    wait(64, from: 1000, to: 2000)
    #expect(recorder.contents().entries.reduce(0) { $0 + $1.figures.waits } == 1)
  }
}

private final class NamedObject {
  let word = 0
}

extension Recorder {
  /// The number of threads and tasks that sleep in a recorded wait, or are about to sleep.
  var waitingThreads: Int { withState { $0.current.count } }
}

extension Recorder.State {
  fileprivate var entries: [(site: WaitSite, figures: WaitFigures)] { sites.map { ($0, $1) } }
}
