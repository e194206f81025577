internal import CTestSupport
internal import Foundation
internal import InterlockCore
internal import InterlockWaits

/// Fails a test run that has left slots of a `SlotTable` taken.
///
/// A read section that leaks its slot does no harm until the table is full, or until its lock
/// waits for that slot. Other tests may therefore miss the leak.
///
/// Builds for the explorer are not checked: the explorer abandons failed executions in the middle of read
/// sections, which leaks slots.
@c(test_run_ends)
func testRunEnds() {
  #if !Exploration
    // Waits up to ten seconds: a detached thread, which no test joins, may still be in a read section.
    func takenCount() -> Int { SlotTable.readers.takenCount + SlotTable.deliveries.takenCount }
    for _ in 0..<1_000 {
      if takenCount() == 0 { return }
      MonotonicClock.sleep(.milliseconds(10))
    }
    let text =
      "Slots: still taken at the end of the tests: \(takenCount()). A section has not vacated its slot.\n"
    FileHandle.standardError.write(Data(text.utf8))
    fflush(nil)
    _exit(EXIT_FAILURE)
  #endif
}
