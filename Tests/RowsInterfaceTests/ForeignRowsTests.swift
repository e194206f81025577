import CRows
import TestSupport
import Testing
import ViewModels

@testable import RowsInterface

/// A core whose functions record their calls, and return the status that the test has set.
private final class ProbeCore {
  var status = Int(INTERLOCK_ROWS_OK)
  var calls: [String] = []
  /// The rows that `read` reports.
  var rows: [(id: UInt64, text: String)] = []
  var generation: UInt64 = 0
  /// How often `read` reports its end.
  var ends = 1
  /// Called inside `activate`.
  var whenActivating: (() -> Void)?

  private static func at(_ user: UnsafeMutableRawPointer?) -> ProbeCore {
    Unmanaged<ProbeCore>.fromOpaque(user!).takeUnretainedValue()
  }

  private static func called(_ name: String, _ user: UnsafeMutableRawPointer?) -> interlock_rows_status {
    at(user).calls.append(name)
    return interlock_rows_status(at(user).status)
  }

  func table() -> interlock_rows_core {
    var core = interlock_rows_core()
    core.size = MemoryLayout<interlock_rows_core>.size
    core.user = Unmanaged.passUnretained(self).toOpaque()
    core.destroy_user = { ProbeCore.at($0).calls.append("destroy_user") }
    core.activate = { user, _ in
      ProbeCore.at(user).whenActivating?()
      return ProbeCore.called("activate", user)
    }
    core.begin = { user, beginning in
      ProbeCore.at(user).generation = beginning!.pointee.generation
      return ProbeCore.called("begin", user)
    }
    core.start = { user, _ in ProbeCore.called("start", user) }
    core.stop = { ProbeCore.at($0).calls.append("stop") }
    core.edit = { user, _ in ProbeCore.called("edit", user) }
    core.read = { user, reader in
      let (core, reader) = (ProbeCore.at(user), reader!.pointee)
      for row in core.rows {
        row.text.withCString { reader.row(reader.reader, row.id, $0, row.text.utf8.count) }
      }
      for _ in 0..<core.ends { reader.end(reader.reader, core.generation, 0) }
      return ProbeCore.called("read", user)
    }
    core.invalidate = { ProbeCore.at($0).calls.append("invalidate") }
    return core
  }
}

/// Wraps a noncopyable thread in an object that a closure can capture.
private final class ThreadHolder {
  private var thread: PlatformThread?

  func start(_ body: @escaping @Sendable () -> Void) {
    thread = PlatformThread(body)
  }

  func join() {
    thread.take()!.join()
  }
}

@MainActor
@Suite("Foreign rows", .serialized)
struct ForeignRowsTests {
  private let probe = ProbeCore()

  private func makeRows() -> ForeignRows { unsafe ForeignRows(probe.table()) }

  private func makeModel(_ rows: ForeignRows) -> RowsViewModel? {
    RowsViewModel(RowsConfiguration(), core: rows)
  }

  @Test("A core belongs to one model, and ends with the last reference")
  func oneModel() throws {
    var rows: ForeignRows? = makeRows()
    var model = makeModel(rows!)
    #expect(model != nil && makeModel(rows!) == nil)
    #expect(probe.calls == ["activate", "begin"])
    rows = nil
    #expect(!probe.calls.contains("invalidate"))
    model = nil
    #expect(probe.calls.filter { $0 != "stop" } == ["activate", "begin", "invalidate", "destroy_user"])
  }

  @Test("A core that refuses has no model, and still belongs to its caller")
  func refused() {
    probe.status = INTERLOCK_ROWS_REFUSED
    #expect(makeModel(makeRows()) == nil)
    #expect(!probe.calls.contains("destroy_user"))
  }

  @Test("A core that has ended before its model is made is not activated, and leaves no handle")
  func endedBefore() {
    let rows = makeRows()
    let handles = Handles.sinks.count
    rows.invalidate()
    #expect(makeModel(rows) == nil)
    #expect(probe.calls == [] && Handles.sinks.count == handles)
  }

  @Test("A core that refuses is not invalidated, although a thread does so meanwhile")
  func invalidatedWhileRefusing() {
    let rows = makeRows()
    let hasBegun = RelaxedFlag()
    let thread = ThreadHolder()
    probe.status = INTERLOCK_ROWS_REFUSED
    probe.whenActivating = {
      thread.start {
        hasBegun.set()
        rows.invalidate()
      }
      while !hasBegun.isSet { PlatformThread.yield() }
      for _ in 0..<1_000 { PlatformThread.yield() }
    }
    #expect(makeModel(rows) == nil)
    thread.join()
    #expect(probe.calls == ["activate"])
  }

  @Test("A core whose model is made while a thread invalidates it is invalidated if it was activated")
  func invalidatedWhileMade() {
    for _ in 0..<StressSize.pick(quick: 2_000, full: 40_000) {
      let probe = ProbeCore()
      let rows = unsafe ForeignRows(probe.table())
      let thread = ThreadHolder()
      let hasBegun = RelaxedFlag()
      thread.start {
        hasBegun.set()
        rows.invalidate()
      }
      while !hasBegun.isSet { PlatformThread.yield() }
      let model = makeModel(rows)
      thread.join()
      rows.invalidate()
      let ends = probe.calls.filter { $0 != "stop" }
      if model == nil {
        #expect(ends == [])
      } else {
        #expect(ends == ["activate", "begin", "invalidate", "destroy_user"])
      }
    }
  }

  @Test("A call that fails counts as a mistake of the core")
  func failures() throws {
    let rows = makeRows()
    let model = try #require(makeModel(rows))
    let before = ForeignRows.refusedEdits
    rows.start(workers: 1, speed: 1, seed: 1)
    #expect(ForeignRows.refusedEdits == before)
    probe.status = INTERLOCK_ROWS_REFUSED
    rows.start(workers: 1, speed: 1, seed: 1)
    #expect(ForeignRows.refusedEdits == before + 1)
    #expect(!rows.apply(.insert("a", .index(0))) && !rows.apply(.remove(.index(-1))))
    #expect(probe.calls.count { $0 == "edit" } == 1)
    withExtendedLifetime(model) { rows.invalidate() }
  }

  @Test("Rows are read once, up to the greatest identity, and only if all of them are valid")
  func reading() throws {
    let rows = makeRows()
    let model = try #require(makeModel(rows))
    func read() -> [[UInt64]] {
      var seen: [[UInt64]] = []
      let hasRead = rows.read { read in
        seen.append(read.rows.map(\.id))
        return read.generation == model.statistics.generation && read.sequence == 0
      }
      #expect(hasRead == !seen.isEmpty)
      return seen
    }
    let before = ForeignRows.refusedEdits
    probe.rows = [(0, "a"), (RowsInbox.greatestReportedID, "b")]
    probe.ends = 2
    #expect(read() == [[0, RowsInbox.greatestReportedID]])
    #expect(ForeignRows.refusedEdits == before)
    probe.rows[1].id += 1
    #expect(read() == [])
    #expect(ForeignRows.refusedEdits == before + 1)
    probe.rows = []
    probe.ends = 0
    #expect(read() == [])
    #expect(ForeignRows.refusedEdits == before + 2)
    rows.invalidate()
    #expect(read() == [])
    withExtendedLifetime(model) {}
  }
}
