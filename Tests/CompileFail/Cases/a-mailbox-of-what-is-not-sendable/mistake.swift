// A mailbox of a non-Sendable type.
//
// The sender uses the object beside the task that has received it.
//
// It compiles in Swift 5 mode.

import Jobs

#if WRONG
  final class Words {
    var all: [String] = []
  }
#else
  struct Words {
    var all: [String] = []
  }
#endif

func send(_ words: Words, to mailbox: Mailbox<Words>) async -> Int {
  // error: type 'Words' does not conform to the 'Sendable' protocol
  guard await mailbox.send(words) else { return 0 }
  // error: type 'Words' does not conform to the 'Sendable' protocol
  return words.all.count
}
