internal import LiveTables
internal import TestSupport
internal import Testing

@Suite("Recent changes")
struct RecentChangesTests {
  @Test("A row that was inserted lately stays one that was; one that was there is modified")
  func marks() {
    var changes = RecentChanges(lifetime: 10)
    changes.insert(at: 3)
    changes.modify(at: 3)
    changes.modify(at: 5)
    #expect(changes[3] == .inserted)
    #expect(changes[5] == .modified)
    #expect(changes[4] == nil)
    #expect(changes.latest == 5)
  }

  @Test("A change is recent for as many steps of time as was said")
  func time() {
    var changes = RecentChanges(lifetime: 2)
    changes.modify(at: 0)
    changes.pass()
    changes.modify(at: 1)
    #expect(changes[0] == .modified)
    changes.pass()
    #expect(changes[0] == nil)
    #expect(changes[1] == .modified)
    changes.modify(at: 1)
    changes.pass()
    #expect(changes[1] == .modified)
    changes.pass()
    #expect(changes[1] == nil)
  }

  @Test("Marks move with their rows, whatever is inserted and removed")
  func moves() throws {
    struct Row: Equatable {
      var mark: RecentChanges.Mark?
    }
    var generator = Seed.current.generator(stream: 0)
    var changes = RecentChanges(lifetime: 10)
    var rows = Array(repeating: Row(), count: 20)
    // `RecentChanges` keeps 256 changes, so it drops none of the 200 changes.
    for _ in 0..<200 {
      switch generator.next() % 3 {
      case 0:
        let index = Int.random(in: 0...rows.count, using: &generator)
        rows.insert(Row(mark: .inserted), at: index)
        changes.insert(at: index)
        #expect(changes.latest == index)
      case 1:
        guard let index = rows.indices.randomElement(using: &generator) else { continue }
        rows.remove(at: index)
        changes.remove(at: index)
        #expect(changes.latest == nil)
      default:
        guard let index = rows.indices.randomElement(using: &generator) else { continue }
        rows[index].mark = rows[index].mark ?? .modified
        changes.modify(at: index)
      }
      try #require(rows.indices.map { Row(mark: changes[$0]) } == rows, "\(Seed.current)")
    }
  }

  @Test("Only the latest are kept, however many there are")
  func capacity() {
    var changes = RecentChanges(lifetime: 10)
    for index in 0..<1_000 { changes.modify(at: index) }
    #expect((0..<1_000).filter { changes[$0] != nil } == Array(744..<1_000))
  }
}
