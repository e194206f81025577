// Awaiting inside `Once`.
//
// All threads that come meanwhile are blocked; when these are all that tasks have, nothing moves any more.

import LazyInitialization

#if WRONG
  func migrate() async {}

  func connect(_ migration: borrowing Once) async {
    await migration.run { await migrate() }
    // error: cannot pass function of type '() async -> ()' to parameter expecting synchronous function
    // type
  }
#else
  func migrate() {}

  func connect(_ migration: borrowing Once) async {
    migration.run { migrate() }
  }
#endif
