#if Exploration
  @testable import ContentionProfiles
  import Exploration
  import Testing

  /// Explores `RecordingGate`, which lets threads record waits only while it is open.
  @Suite(.serialized) struct RecordingScheduleTests {
    private final class Recording: Sendable {
      let gate = RecordingGate()
      let cell = ExploredCell(0)

      func record(_ run: Execution, in number: UInt64? = nil) {
        gate.whileOpen { current in
          if let number { run.expect(current == number) }
          _ = cell.value
        }
      }
    }

    /// Once `close` has returned, no thread may record: a recording would race with the write to the cell.
    @Test func nobodyRecordsAfterTheGateIsClosed() throws {
      try check("RecordingGate, one thread records") { run in
        let recording = Recording()
        recording.gate.open()
        let thread = run.thread { recording.record(run) }
        recording.gate.close()
        recording.cell.value = 1
        recording.gate.open()
        thread.join()
        recording.record(run, in: 2)
        recording.gate.close()
        recording.gate.whileOpen { _ in run.expect(false, "the gate is closed") }
      }
    }

    /// A thread that records must see the writes made before the gate was opened.
    @Test func aRecordingSeesWhatWasDoneBefore() throws {
      try check("RecordingGate, opened") { run in
        let recording = Recording()
        let thread = run.thread { recording.record(run) }
        recording.cell.value = 1
        recording.gate.open()
        thread.join()
        recording.gate.close()
      }
    }

    @Test func nobodyOfTwoRecordsAfterTheGateIsClosed() throws {
      try check("RecordingGate, two threads record", .exhaustive(preemptions: 2)) { run in
        let recording = Recording()
        recording.gate.open()
        let threads = (0..<2).map { _ in run.thread { recording.record(run) } }
        recording.gate.close()
        recording.cell.value = 1
        for thread in threads { thread.join() }
      }
    }
  }
#endif
