internal import TestSupport
internal import Testing

@testable import RowsInterface

@Suite("Handles")
struct HandleTableTests {
  private final class Thing: Sendable {}

  @Test("A handle leads to its object until that is removed, and to nothing afterwards")
  func staleHandles() {
    let table = HandleTable<Thing>(kind: 5)
    let (first, second) = (Thing(), Thing())
    let handles = [table.insert(first), table.insert(second)]
    #expect(table.object(handles[0]) === first && table.object(handles[1]) === second)
    #expect(table.remove(handles[0]) === first)
    #expect(table.object(handles[0]) == nil && table.remove(handles[0]) == nil)
    let third = Thing()
    let reused = table.insert(third)
    // A handle's lower 32 bits are the index of its slot. The third object reuses the slot of the first one,
    // but gets another handle.
    #expect(UInt32(truncatingIfNeeded: reused) == UInt32(truncatingIfNeeded: handles[0]))
    #expect(table.object(reused) === third && table.object(handles[0]) == nil)
    #expect(table.count == 2)
  }

  @Test("0, another kind, another generation and a slot beyond the end lead to nothing")
  func strangers() {
    let table = HandleTable<Thing>(kind: 5)
    let handle = table.insert(Thing())
    for bit in 0..<64 { #expect(table.object(handle ^ 1 << UInt64(bit)) == nil) }
    #expect(table.object(0) == nil && table.object(.max) == nil)
    #expect(HandleTable<Thing>(kind: 6).object(handle) == nil)
  }

  @Test("Each table of the process has a kind of its own")
  func kinds() {
    let kinds = [Handles.models.kind, Handles.registrations.kind, Handles.snapshots.kind, Handles.sinks.kind]
    #expect(Set(kinds).count == kinds.count)
    #expect(kinds.allSatisfy { (1...15).contains($0) })
  }

  @Test("A slot whose generations are used up is not used again")
  func lastGeneration() {
    let table = HandleTable<Thing>(kind: 5, lastGeneration: 3)
    let handles = (0..<7).map { _ in
      let handle = table.insert(Thing())
      #expect(table.remove(handle) != nil)
      return handle
    }
    #expect(handles.map { UInt32(truncatingIfNeeded: $0) } == [0, 0, 0, 1, 1, 1, 2])
    #expect(Set(handles).count == 7 && handles.allSatisfy { table.object($0) == nil })
  }

  @Test("Threads that insert, look up and remove never get another's object")
  func threads() {
    let table = HandleTable<Thing>(kind: 5)
    race(threads: 4) { _ in
      for _ in 0..<2_000 {
        let thing = Thing()
        let handle = table.insert(thing)
        #expect(table.object(handle) === thing)
        #expect(table.remove(handle) === thing)
        #expect(table.object(handle) == nil)
      }
    }
    #expect(table.count == 0)
  }
}
