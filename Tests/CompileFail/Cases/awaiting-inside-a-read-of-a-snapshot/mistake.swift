// Awaiting inside a snapshot's read.
//
// The task goes on with another thread, which can't vacate the slot that announces the value to those who free it.

import Snapshots

func show(_ page: String) async {}

func refresh(_ pages: Snapshot<[String]>) async {
  #if WRONG
    await pages.withCurrent { await show($0[0]) }
  // error: cannot pass function of type '(borrowing [String]) async -> sending ()' to parameter
  // expecting synchronous function type
  #else
    await show(pages.current[0])
  #endif
}
