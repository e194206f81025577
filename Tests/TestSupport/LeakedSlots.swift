internal import CTestSupport
internal import Foundation
internal import ThreadRecords

/// Fails a test run that has left slots of the `SlotTable` taken.
///
/// A read section or a delivery that does not vacate its slot does no harm until the table is full, or until
/// its lock waits for that slot. Tests that run beside the leak may never get there.
///
/// The explorer abandons executions that fail, with their sections. So explored builds are not checked.
@c(test_run_ends)
func testRunEnds() {
  #if !Exploration
    // A thread that no test waits for may still be in a section. The time is generous for that.
    for _ in 0..<1_000 {
      if SlotTable.takenCount == 0 { return }
      MonotonicClock.sleep(.milliseconds(10))
    }
    let text =
      "Slots: still taken at the end of the tests: \(SlotTable.takenCount). A section or a delivery has not vacated "
      + "its slot.\n"
    FileHandle.standardError.write(Data(text.utf8))
    fflush(nil)
    _exit(EXIT_FAILURE)
  #endif
}
