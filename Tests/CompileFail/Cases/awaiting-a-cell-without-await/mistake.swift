// Initializing a cell in a task without await.
//
// While another task makes the value, the call would block a thread of the cooperative pool. When all of its threads wait, that
// task never goes on.

import LazyInitialization

func makeNumber() -> Int { 1 }

func number(_ cell: borrowing OnceCell<Int>) async throws -> Int {
  #if WRONG
    try cell.value(orInitialize: { makeNumber() })
  // error: expression is 'async' but is not marked with 'await'
  #else
    try await cell.value(orInitialize: { makeNumber() })
  #endif
}

func sameNumber(_ cell: borrowing OnceCell<Int>) async throws -> Int {
  #if WRONG
    try cell.value(orInitialize: makeNumber)
  // error: expression is 'async' but is not marked with 'await'
  #else
    try await cell.value(orInitialize: { makeNumber() })
  #endif
}
