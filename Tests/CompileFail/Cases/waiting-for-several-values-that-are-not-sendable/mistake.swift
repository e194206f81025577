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

  func link(_ first: ExclusiveProtector<Node>, _ second: ExclusiveProtector<Node>) {
    withWriteLocks(
      // error: type 'Node' does not conform to the 'Sendable' protocol
      first, second,
      waitingUntil: { first, second in
        first.next = copy second
        return true
      }
    ) { _, _ in }
  }
#else
  struct Node: Sendable {
    var next: Int?
  }

  func link(_ first: ExclusiveProtector<Node>, _ second: ExclusiveProtector<Node>) {
    withWriteLocks(
      first, second,
      waitingUntil: { first, second in
        first.next == second.next
      }
    ) { _, _ in }
  }
#endif
