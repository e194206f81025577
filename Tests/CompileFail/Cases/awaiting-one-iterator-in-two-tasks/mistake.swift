// Awaiting one iterator in two tasks.
//
// A value goes to one of the two tasks, and neither gets all that it should.
//
// It compiles in Swift 5 mode.

import Protectors

func show(_ number: Protector<Int>) async {
  #if WRONG
    var values = number.values(of: { $0 }).makeAsyncIterator()
    let other = Task { await values.next() }
    // error: sending value of non-Sendable type '() async -> Int?' risks causing data races
    print(await values.next() ?? 0, await other.value ?? 0)
  #else
    let values = number.values(of: { $0 })
    let other = Task { await values.first { _ in true } }
    print(await values.first { _ in true } ?? 0, await other.value ?? 0)
  #endif
}
