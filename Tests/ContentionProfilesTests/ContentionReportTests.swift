@testable import ContentionProfiles
import Foundation
import Testing

/// Tests the formats of reports with given figures, which need no recording.
@Suite("Report of contention")
struct ContentionReportTests {
  private static func stack(_ functions: String...) -> ContentionReport.Stack {
    ContentionReport.Stack(
      frames: functions.map { ContentionReport.Frame(function: $0, isInternal: $0.hasPrefix("Protector")) })
  }

  private static func site(
    _ purpose: ContentionReport.Purpose, _ waiter: ContentionReport.Stack,
    _ releaser: ContentionReport.Stack? = nil, waits: Int = 1, microseconds: Int
  ) -> ContentionReport.Site {
    let total = Duration.microseconds(microseconds)
    return ContentionReport.Site(
      purpose: purpose, waitingStack: waiter, releasingStack: releaser,
      waits: .init(
        count: waits, total: total, longest: total * 3 / 4, blocked: total / 8, longestBlocked: total / 16),
      median: total / 4, percentile99: total / 2)
  }

  private static let report = ContentionReport(
    duration: .seconds(2),
    locks: [
      .init(
        primitive: "Protector", address: 0x1000, origin: "\"accounts\" (made at Bank.swift:14)",
        sites: [
          site(
            .writing, stack("Protector.write", "pay<T>", "main"), stack("audit & log"), waits: 3,
            microseconds: 60),
          site(.reading, stack("show"), microseconds: 12),
          site(.reading, stack(), stack("a", "b", "c", "d"), microseconds: 3),
        ]),
      .init(
        primitive: "UnfairLock", address: nil, origin: nil,
        sites: [site(.exclusiveAccess, stack("x;y"), microseconds: 25)]),
    ],
    events: [
      .init(
        primitive: "waitingUntil", address: 0x2000, origin: nil,
        sites: [site(.predicate, stack("take"), stack("put"), waits: 2, microseconds: 5_000_000)])
    ],
    lostWaits: 1, lostTime: .nanoseconds(700))

  @Test("The text has each source, and the stacks that waited and released")
  func text() {
    let expected = """
      Contention in 2.00 s: 6 waits for 2 locks, 100 µs of waiting
      The tables were full: 1 wait of 700 ns more are not shown

      Locks
       share    waits     total    median      99 %   longest   blocked
      Protector 0x1000 "accounts" (made at Bank.swift:14)
      74.5 %        5   75.0 µs                                 9.38 µs
                    3   60.0 µs   15.0 µs   30.0 µs   45.0 µs   7.50 µs
              waits to write in pay<T> < main
              released by audit & log
                    1   12.0 µs   3.00 µs   6.00 µs   9.00 µs   1.50 µs
              waits to read in show
              released by not known
                    1   3.00 µs    750 ns   1.50 µs   2.25 µs    375 ns
              waits to read in a stack that was not recorded
              released by a < b < c < d
      other locks: UnfairLock
      24.8 %        1   25.0 µs                                 3.13 µs
                    1   25.0 µs   6.25 µs   12.5 µs   18.8 µs   3.13 µs
              waits in x;y
              released by not known

      Holders
                waits   blocked   longest
                    3   7.50 µs   3.75 µs  audit & log
                    1    375 ns    187 ns  a

      Waits for events, which are no contention
       share    waits     total    median      99 %   longest   blocked
      waitingUntil 0x2000
                    2    5.00 s                                  625 ms
                    2    5.00 s    1.25 s    2.50 s    3.75 s    625 ms
              waits for a predicate in take
              released by put

      """
    #expect(Self.report.text() == expected)
  }

  @Test("Long stacks are broken between functions, and no line is longer than the terminal is wide")
  func width() {
    let name = "Catalog.findTheCheapestOffer(of:in:)"
    let waiter = Self.stack(
      name, "Catalog.answerQuestions()", "Catalog.answerQuestions()", String(repeating: "n", count: 90),
      "main")
    let report = ContentionReport(
      duration: .seconds(2),
      locks: [
        .init(
          primitive: "UnfairLock", address: 16, origin: "\"\(String(repeating: "label", count: 30))\"",
          sites: [Self.site(.exclusiveAccess, waiter, Self.stack(name, name, "c"), microseconds: 8)])
      ],
      events: [], lostWaits: 0, lostTime: .zero)
    let text = report.text(columns: 72)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 72 })
    // A function that calls itself must be named only once in the list of a stack.
    let expected = """
              waits in Catalog.findTheCheapestOffer(of:in:) <
                Catalog.answerQuestions() <
                \(String(repeating: "n", count: 59))… <
                main
              released by Catalog.findTheCheapestOffer(of:in:) < c

      Holders
                waits   blocked   longest
                    1   1.00 µs    500 ns  Catalog.findTheCheapestOffer(of:in…

      """
    #expect(text.hasSuffix(expected))
    #expect(text.contains("\nUnfairLock 0x10 \"labellabel"))
    #expect(report.text().split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test("A site names the program's functions, or all functions if none is the program's")
  func functions() {
    let site = Self.site(.reading, Self.stack("Protector.read", "audit", "main"), microseconds: 1)
    #expect(site.waiter == ["audit", "main"] && site.releaser == nil)
    let inside = Self.site(
      .reading, Self.stack("Protector.read"), Self.stack("Protector.write"), microseconds: 1)
    #expect(inside.waiter == ["Protector.read"] && inside.releaser == ["Protector.write"])
  }

  @Test("A shorter text says how much it leaves out")
  func shortText() {
    let text = Self.report.text(mostSources: 1, mostSites: 1, mostFrames: 1)
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.contains("waits to write in pay<T>"))
    #expect(lines.contains("and 2 pairs of stacks more") && lines.contains("and 1 more"))
    #expect(!text.contains("UnfairLock") && text.contains("waitingUntil"))
  }

  @Test("Holders have the totals of all locks that they held, the greatest first")
  func holders() {
    let report = ContentionReport(
      duration: .seconds(2),
      locks: [
        .init(
          primitive: "Protector", address: 16, origin: nil,
          sites: [
            Self.site(.writing, Self.stack("show"), Self.stack("Protector.write", "pay"), microseconds: 16),
            Self.site(.reading, Self.stack("show"), Self.stack("audit"), waits: 2, microseconds: 40),
          ]),
        .init(
          primitive: "UnfairLock", address: 32, origin: nil,
          sites: [
            Self.site(.exclusiveAccess, Self.stack("log"), Self.stack("pay", "main"), microseconds: 32),
            Self.site(.exclusiveAccess, Self.stack("log"), microseconds: 800),
          ]),
      ], events: [], lostWaits: 0, lostTime: .zero)
    #expect(report.holdingFunctions.map(\.function) == ["pay", "audit"])
    #expect(report.holdingFunctions.map(\.waits.count) == [2, 2])
    #expect(report.holdingFunctions.map(\.waits.blocked) == [.microseconds(6), .microseconds(5)])
    #expect(report.holdingFunctions.map(\.waits.longestBlocked) == [.microseconds(2), .nanoseconds(2500)])
    #expect(
      report.holdingFunctions.map(\.locks) == [["UnfairLock 0x20", "Protector 0x10"], ["Protector 0x10"]])
  }

  @Test("Waits that have not ended come first, with their holders")
  func currentWaits() {
    let report = ContentionReport(
      duration: .seconds(9), locks: [], events: [],
      current: [
        .init(
          name: "UnfairLock 0x20", purpose: .exclusiveAccess, thread: "thread 7",
          waitingStack: Self.stack("pay", "main"),
          duration: .seconds(8), holder: "thread 8"),
        .init(
          name: "AsyncSemaphore 0x30", purpose: .permit, thread: "task 0x80",
          waitingStack: Self.stack("load"),
          duration: .seconds(4), holder: nil),
      ], lostWaits: 0, lostTime: .zero)
    let expected = """
      Contention in 9.00 s: 0 waits for 0 locks, 0 of waiting

      Waiting now
      8.00 s thread 7
              waits in pay < main
              for UnfairLock 0x20
              held by thread 8
      4.00 s task 0x80
              waits for a permit in load
              for AsyncSemaphore 0x30

      """
    #expect(report.text() == expected)
    #expect(report.text(mostSources: 1).hasSuffix("thread 8\nand 1 more\n"))
  }

  @Test("Shares are of all waiting time, also of the lost one")
  func sharesOfAll() {
    let source = ContentionReport.Source(
      primitive: "UnfairLock", address: 16, origin: nil,
      sites: [Self.site(.exclusiveAccess, Self.stack("a"), microseconds: 16)])
    let report = ContentionReport(
      duration: .seconds(2), locks: [source], events: [], lostWaits: 1, lostTime: .microseconds(48))
    #expect(report.part(of: source) == 0.25)
  }

  /// A field of a message in the wire format of protocol buffers.
  private enum Field: Equatable {
    case number(Int, UInt64)
    case bytes(Int, [UInt8])
  }

  /// Decodes the fields of a message; returns `nil` if `bytes` is not a valid message.
  private static func fields(_ bytes: [UInt8]) -> [Field]? {
    var rest = bytes[...]
    func varint() -> UInt64? {
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while let byte = rest.popFirst() {
        value |= UInt64(byte & 0x7f) << shift
        shift += 7
        if byte < 0x80 { return value }
      }
      return nil
    }
    var fields: [Field] = []
    while !rest.isEmpty {
      guard let tag = varint(), let value = varint() else { return nil }
      switch tag & 7 {
      case 0: fields.append(.number(Int(tag >> 3), value))
      case 2:
        guard rest.count >= Int(value) else { return nil }
        fields.append(.bytes(Int(tag >> 3), Array(rest.prefix(Int(value)))))
        rest = rest.dropFirst(Int(value))
      default: return nil
      }
    }
    return fields
  }

  private static func messages(_ number: Int, in fields: [Field]) -> [[Field]] {
    fields.compactMap { if case .bytes(number, let bytes) = $0 { Self.fields(bytes) } else { nil } }
  }

  private static func numbers(_ number: Int, in fields: [Field]) -> [Int] {
    fields.compactMap { if case .number(number, let value) = $0 { Int(value) } else { nil } }
  }

  @Test("A profile for pprof has a sample for each site, with its stack, its figures and their units")
  func pprof() throws {
    let profile = try #require(Self.fields(Self.report.pprof))
    let strings = profile.compactMap { field in
      if case .bytes(6, let bytes) = field { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
    #expect(strings[0].isEmpty && Set(strings).count == strings.count)
    let types = Self.messages(1, in: profile).map { type in
      (Self.numbers(1, in: type) + Self.numbers(2, in: type)).map { strings[$0] }
    }
    #expect(types == [["contentions", "count"], ["delay", "nanoseconds"], ["blocked", "nanoseconds"]])
    #expect(Self.numbers(14, in: profile).map { strings[$0] } == ["blocked"])
    #expect(Self.numbers(10, in: profile) == [2_000_000_000])

    var functions: [Int: String] = [:]
    for function in Self.messages(5, in: profile) {
      functions[Self.numbers(1, in: function)[0]] = strings[Self.numbers(2, in: function)[0]]
    }
    var locations: [Int: String] = [:]
    for location in Self.messages(4, in: profile) {
      let line = Self.messages(4, in: location)[0]
      locations[Self.numbers(1, in: location)[0]] = functions[Self.numbers(1, in: line)[0]]
    }
    let samples = Self.messages(2, in: profile)
    let lock = "Protector 0x1000 \"accounts\" (made at Bank.swift:14)"
    #expect(
      samples.map { Self.numbers(1, in: $0).map { locations[$0] } } == [
        ["released by audit & log", lock, "pay<T>", "main"], ["released by unknown", lock, "show"],
        ["released by a < b < c", lock], ["released by unknown", "other locks: UnfairLock", "x;y"],
      ])
    #expect(
      samples.map { Self.numbers(2, in: $0) } == [
        [3, 60_000, 7_500], [1, 12_000, 1_500], [1, 3_000, 375], [1, 25_000, 3_125],
      ])
    let labels = Self.messages(3, in: samples[0]).map { label in
      (Self.numbers(1, in: label) + Self.numbers(2, in: label)).map { strings[$0] }
    }
    #expect(labels == [["lock", lock], ["purpose", "writing"]])
  }

  @Test("A report without waits has no tables")
  func empty() {
    let report = ContentionReport(duration: .zero, locks: [], events: [], lostWaits: 0, lostTime: .zero)
    #expect(report.text() == "Contention in 0: 0 waits for 0 locks, 0 of waiting\n")
  }

  @Test("A source without a site or without time has no share")
  func withoutTime() {
    let source = ContentionReport.Source(primitive: "UnfairLock", address: nil, origin: nil, sites: [])
    let report = ContentionReport(
      duration: .zero, locks: [source], events: [], lostWaits: 0, lostTime: .zero)
    #expect(report.part(of: source) == 0)
  }

  @Test(
    "Durations have three digits, and change their unit in time",
    arguments: [
      (0, "0"), (1, "1 ns"), (999, "999 ns"), (1_000, "1.00 µs"), (9_994, "9.99 µs"), (9_996, "10.0 µs"),
      (99_940, "99.9 µs"), (99_960, "100 µs"), (999_400, "999 µs"), (999_600, "1.00 ms"),
      (1_000_000_000, "1.00 s"), (123_000_000_000, "123 s"),
    ])
  func durations(nanoseconds: Int64, text: String) {
    #expect(ContentionReport.format(.nanoseconds(nanoseconds)) == text)
  }
}
