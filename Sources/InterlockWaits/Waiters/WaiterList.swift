/// Waiting threads or tasks in an order: an intrusive doubly linked list.
///
/// This is the list of all waiters of the package: `TaskWaiterList` has tasks alone, and the queue of a protector
/// has nodes of threads and tasks, those of threads on their stacks.
///
/// It does not synchronize: the owner must guard it, and with it the links of the waiters in it. It resumes
/// nothing.
///
/// The links `previous` form a cycle: the first waiter's `previous` is the last waiter. So a list is one
/// reference, and a waiter is the first one if the `next` of its `previous` is `nil`.
///
/// - Complexity: O(1) for each operation, without an allocation.
@usableFromInline
package protocol WaiterList: ~Copyable {
  /// A reference to a waiter, which does not own it.
  associatedtype Element
  /// The waiter that came first; `nil` if the list is empty.
  var first: Element? { get set }
  /// The link to the next waiter; `nil` for the last one.
  static subscript(next waiter: Element) -> Element? { get set }
  /// The link to the previous waiter, for the first one to the last; `nil` if the waiter is in no list.
  static subscript(previous waiter: Element) -> Element? { get set }
}

extension WaiterList where Self: ~Copyable {
  /// Inserts a waiter, which must be in no list, before another one; at the end if `next` is `nil`.
  @_alwaysEmitIntoClient
  package mutating func insert(_ waiter: Element, before next: Element?) {
    Self[next: waiter] = next
    guard let first else {
      Self[previous: waiter] = waiter
      self.first = waiter
      return
    }
    let follower = next ?? first
    let previous = Self[previous: follower]!
    Self[previous: waiter] = previous
    Self[previous: follower] = waiter
    if next != nil, Self[next: previous] == nil { self.first = waiter } else { Self[next: previous] = waiter }
  }

  /// Removes a waiter, which must be in the list.
  @_alwaysEmitIntoClient
  package mutating func unlink(_ waiter: Element) {
    let next = Self[next: waiter]
    let previous = Self[previous: waiter]!
    if Self[next: previous] == nil { first = next } else { Self[next: previous] = next }
    if let follower = next ?? first { Self[previous: follower] = previous }
    Self[previous: waiter] = nil
  }
}
