// Waiting for several values that are not Sendable.
//
// The predicate keeps an object, or makes both values refer to one. It is then used without its lock.
//
// It compiles in Swift 5 mode.

import Protectors

#if WRONG
  final class Node {
    var next: Node?
  }
#else
  struct Node {
    var next: Int?
  }
#endif

func link(_ first: ExclusiveProtector<Node>, _ second: ExclusiveProtector<Node>) {
  withWriteLocks(first, second, waitingUntil: { $0.next == nil && $1.next == nil }) { _, _ in }
  // error: type 'Node' does not conform to the 'Sendable' protocol
}
