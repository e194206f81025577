#if Exploration
  @testable import Exploration
  import Testing

  /// Tests that `ExploredMemory` reports unordered accesses to a cell as races, and no other accesses.
  @Suite struct ExploredMemoryTests {
    /// Returns the memory of an execution with two threads, of which thread 0 has written the cell at
    /// `address`.
    private func writtenMemory(at address: UInt) -> ExploredMemory {
      var memory = ExploredMemory(oldReadsPerWord: 1)
      memory.threads = [ExploredMemory.ThreadState(), ExploredMemory.ThreadState()]
      #expect(memory.access(address, writes: true, thread: 0, step: 3) == nil)
      return memory
    }

    @Test(arguments: [true, false])
    func anAccessOfAnotherThreadRaces(writes: Bool) {
      var memory = writtenMemory(at: 64)
      #expect(memory.access(64, writes: writes, thread: 1, step: 4) == 3)
    }

    @Test func anAccessToAnotherCellDoesNotRace() {
      var memory = writtenMemory(at: 64)
      #expect(memory.access(128, writes: true, thread: 1, step: 4) == nil)
    }

    @Test func aCellWhereAnotherOneWasFreedDoesNotRaceWithThatOne() {
      var memory = writtenMemory(at: 64)
      memory.forget(64)
      #expect(memory.access(64, writes: true, thread: 1, step: 4) == nil)
    }
  }
#endif
