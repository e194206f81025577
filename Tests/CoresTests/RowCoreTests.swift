import CRowsCore
import TestSupport
import Testing
import InterlockCore

@testable import ForeignRows

@MainActor
@Suite("Rows of a core", .serialized)
struct RowCoreTests {
  private let lifetimes = Lifetimes()
  private let table = CoreTable()

  private struct Stop: Error {}

  /// Creates a core whose receiver, the table, is tracked.
  private func makeCore(threads: Int = 0, speed: Double = 1) throws(CoreFailure) -> RowCore {
    let receiver = Tracked(lifetimes)
    return try RowCore(threads: threads, speed: speed) { [table] change in
      withExtendedLifetime(receiver) { table.receive(change) }
    }
  }

  /// Lets the main actor run until the table has received `count` changes.
  private func receive(_ count: Int) async {
    while table.changes < count { await Task.yield() }
  }

  private func expectNothingLeft() {
    #expect(lifetimes.alive == 0 && rows_live_handles() == 0)
  }

  @Test("Changes of the core's threads arrive on the main actor in order, with the rows after each")
  func order() async throws {
    let core = try makeCore(threads: 8, speed: 1_000)
    await receive(StressSize.pick(quick: 1_000, full: 20_000))
    _ = consume core
    #expect(table.violations == 0)
    expectNothingLeft()
  }

  @Test("Rows cross in both directions: empty, with zeros, beyond the basic plane, with the greatest number")
  func rows() async throws {
    let rows = ["", "\0a\0", "e\u{301}", "👩🏽‍🚀"].enumerated().map {
      CoreRow(text: $1, number: .max - UInt64($0))
    }
    let core = try makeCore()
    for (index, row) in rows.enumerated() {
      try core.edit(.inserted, at: index, text: row.text, number: row.number)
    }
    try core.edit(.modified, at: 1, text: rows[3].text, number: rows[3].number)
    try core.edit(.removed, at: 0)
    await receive(6)
    #expect(table.rows.map(\.number) == [rows[3], rows[2], rows[3]].map(\.number))
    #expect(
      table.rows.map { Array($0.text.utf8) } == [rows[3], rows[2], rows[3]].map { Array($0.text.utf8) })
    _ = consume core
    #expect(table.violations == 0)
    expectNothingLeft()
  }

  private func failure(of body: () throws(CoreFailure) -> Void) -> CoreFailure? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// Inserts a row with the given bytes through the C function.
  private func insert(_ bytes: [UInt8], _ handle: rows_model) -> CoreFailure? {
    bytes.withUnsafeBufferPointer { bytes in
      var row = rows_row(bytes: bytes.baseAddress, length: bytes.count, number: 0)
      return CoreFailure(rawValue: rows_edit(handle, UInt32(ROWS_INSERTED), 0, &row))
    }
  }

  @Test("An edit that fails says why, and changes nothing")
  func failures() async throws {
    let core = try makeCore()
    for index in [1, Int.max, -1] {
      let failures = [CoreChange.Kind.inserted, .modified, .removed].map { kind in
        failure { () throws(CoreFailure) in try core.edit(kind, at: index) }
      }
      #expect(failures == [.noSuchRow, .noSuchRow, .noSuchRow])
    }
    let handle = core.handle
    for bytes in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]] {
      #expect(insert(bytes, handle) == .invalidUTF8)
    }
    #expect(CoreFailure(rawValue: rows_edit(handle, UInt32(ROWS_INSERTED), 0, nil)) == .nullArgument)
    try core.edit(.inserted, at: 0)
    await receive(1)
    _ = consume core
    #expect(insert([], handle) == .invalidHandle)
    #expect(CoreFailure(rawValue: rows_destroy(handle)) == .invalidHandle)
    #expect(table.changes == 1 && table.rows == [CoreRow(text: "", number: 0)] && table.violations == 0)
    expectNothingLeft()
  }

  @Test("A core that refuses to be created releases its receiver")
  func refused() {
    for (threads, speed) in [(-1, 1), (1025, 1), (1, 0), (1, .nan), (1, .infinity)] as [(Int, Double)] {
      let failure = failure { () throws(CoreFailure) in _ = try makeCore(threads: threads, speed: speed) }
      #expect(failure == .invalidArgument)
    }
    #expect(lifetimes.made == 5)
    expectNothingLeft()
  }

  @Test(
    "Threads that would sleep for a quarter of an hour are woken and joined at the end",
    arguments: [0, 1, 8, 64])
  func sleepers(threads: Int) async throws {
    let core = try makeCore(threads: threads, speed: 0.001)
    await receive(threads)
    _ = consume core
    #expect(table.changes == threads && table.rows.count == threads && table.violations == 0)
    expectNothingLeft()
  }

  @Test("A function that throws or returns early ends its core")
  func earlyExits() async throws {
    func run(throwing: Bool) throws {
      let core = try makeCore(threads: 2, speed: 1e6)
      guard core.handle == 0 || throwing else { return }
      throw Stop()
    }
    try run(throwing: false)
    expectNothingLeft()
    #expect(throws: Stop.self) { try run(throwing: true) }
    expectNothingLeft()
  }

  @Test("The core's threads pause while the main actor receives nothing")
  func slowObserver() async throws {
    let core = try makeCore(threads: 4, speed: 1e6)
    let most = Int(ROWS_MOST_HANDLES)
    while rows_live_handles() < most { PlatformThread.yield() }
    for _ in 0..<10_000 where rows_live_handles() > most + 4 { Issue.record("more than \(most) handles") }
    await receive(most + 1)
    _ = consume core
    #expect(table.violations == 0)
    expectNothingLeft()
  }

  @Test("Nothing is received after the end, although changes wait")
  func end() async throws {
    let core = try makeCore()
    for _ in 0..<10 { try core.edit(.inserted, at: 0) }
    _ = consume core
    // The main actor runs its jobs in order, so it would have received the changes before this job.
    await Task { @MainActor in }.value
    #expect(table.changes == 0)
    expectNothingLeft()
  }

  @Test("A receiver that ends its core receives nothing more")
  func endInside() async throws {
    final class Owner {
      var core: RowCore?
      var received = 0
    }
    let owner = Owner()
    owner.core = try RowCore(threads: 0) { [weak owner] _ in
      owner?.received += 1
      owner?.core = nil
    }
    for _ in 0..<10 { try owner.core?.edit(.inserted, at: 0) }
    await Task { @MainActor in }.value
    #expect(owner.core == nil && owner.received == 1)
    expectNothingLeft()
  }

  @Test("A snapshot outlives its core")
  func snapshot() async throws {
    var kept: [CoreSnapshot] = []
    let core = try RowCore(threads: 0) { kept.append($0.rows) }
    try core.edit(.inserted, at: 0, text: "first")
    try core.edit(.modified, at: 0, text: "second")
    while kept.count < 2 { await Task.yield() }
    _ = consume core
    #expect(kept.map { $0.map(\.text) } == [["first"], ["second"]])
    #expect(rows_live_handles() == 2)
    kept = []
    expectNothingLeft()
  }

  @Test("Threads edit beside those of the core, and its end comes between two edits")
  func callers() async throws {
    let core = try makeCore(threads: 2, speed: 1e6)
    let editing = Task.detached { [handle = core.handle] in
      race(threads: 4) { _ in
        while true {
          let status = rows_edit(handle, UInt32(ROWS_REMOVED), 0, nil)
          if status == CoreFailure.invalidHandle.rawValue { return true }
          if status != 0, status != CoreFailure.noSuchRow.rawValue { return false }
        }
      }
    }
    await receive(StressSize.pick(quick: 1_000, full: 20_000))
    _ = consume core
    #expect(await editing.value == [true, true, true, true])
    #expect(table.violations == 0)
    expectNothingLeft()
  }
}
