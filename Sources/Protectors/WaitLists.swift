internal import InterlockCore
public import InterlockWaits

/// The waiters of one protector, by what they wait for; `WaitQueue` says which thread may use them.
///
/// `@safe`: the pointers lead to waiters that are in a list, or were served and have yet to arrive. Those keep
/// their addresses.
@safe
struct WaitLists {
  private var readers = Waiters()
  private var threads = Waiters()
  private var tasks = Waiters()
  /// The thread that was served and has yet to acquire the lock.
  var servedThread: UnsafeMutablePointer<Waiter>?
  /// The writing task that was served and has yet to acquire the lock.
  var servedTask: UnsafeMutablePointer<Waiter>?
  /// The number of calls of `serve`, which identifies the current one.
  var round: UInt64 = 0
  /// The number of waiters that the current step has taken from `cancellableCount`.
  var uncounted: UInt32 = 0

  var isEmpty: Bool { unsafe readers.first == nil && threads.first == nil && tasks.first == nil }

  /// The list of the waiters of a kind: those with a closure of their own, and one for each `WaitGroup`.
  subscript(kind: Waiter.Kind) -> Waiters {
    get {
      switch kind {
      case .reader: readers
      case .thread: threads
      case .task: tasks
      }
    }
    set {
      switch kind {
      case .reader: readers = newValue
      case .thread: threads = newValue
      case .task: tasks = newValue
      }
    }
  }

  // Sound, for each `unsafe` in this type: the caller has the right to change the lists and the waiters in
  // them, and the call that a waiter belongs to keeps the waiter's group alive.

  mutating func append(_ waiter: UnsafeMutablePointer<Waiter>) {
    unsafe waiter.pointee.isQueued = true
    let kind = unsafe waiter.pointee.kind
    if let group = unsafe waiter.pointee.group {
      if let representative = unsafe group[kind] {
        return unsafe representative.pointee.followers.append(waiter)
      }
      group.forgetEvaluation()
      unsafe group[kind] = waiter
    }
    unsafe self[kind].append(waiter)
  }

  /// Inserts a waiter that was served in vain before all others of its kind.
  mutating func prepend(_ waiter: UnsafeMutablePointer<Waiter>) {
    unsafe waiter.pointee.isQueued = true
    let kind = unsafe waiter.pointee.kind
    if let group = unsafe waiter.pointee.group {
      if let representative = unsafe group[kind] {
        unsafe self[kind].unlink(representative)
        unsafe swap(&waiter.pointee.followers, &representative.pointee.followers)
        unsafe waiter.pointee.followers.insert(representative, before: waiter.pointee.followers.first)
      }
      unsafe group[kind] = waiter
    }
    unsafe self[kind].insert(waiter, before: self[kind].first)
  }

  /// Removes a waiter from its list.
  ///
  /// If the waiter represents its group, the next waiter of the group takes its place.
  mutating func remove(_ waiter: UnsafeMutablePointer<Waiter>) {
    unsafe waiter.pointee.isQueued = false
    let kind = unsafe waiter.pointee.kind
    if let group = unsafe waiter.pointee.group {
      if let representative = unsafe group[kind], unsafe representative != waiter {
        return unsafe representative.pointee.followers.unlink(waiter)
      }
      let successor = unsafe waiter.pointee.followers.removeFirst()
      unsafe group[kind] = successor
      if let successor = unsafe successor {
        unsafe swap(&waiter.pointee.followers, &successor.pointee.followers)
        unsafe self[kind].insert(successor, before: waiter)
      }
    }
    unsafe self[kind].unlink(waiter)
  }

  /// Moves the first waiter of a group, if there is one, behind all other waiters of its kind.
  mutating func moveToEnd(_ group: WaitGroup, _ kind: Waiter.Kind) {
    guard let representative = unsafe group[kind] else { return }
    unsafe self[kind].unlink(representative)
    unsafe self[kind].append(representative)
  }
}

/// Waiters in an order; among others those that a writer has chosen to notify after its write section.
///
/// `@safe`: waiters keep their addresses while they are in a list, and what guards the list guards their links.
@safe
@usableFromInline
@frozen
struct Waiters: @unsafe WaiterList {
  @usableFromInline
  var first: UnsafeMutablePointer<Waiter>?

  @_alwaysEmitIntoClient
  init() {
    unsafe first = nil
  }

  @usableFromInline
  static subscript(next waiter: UnsafeMutablePointer<Waiter>) -> UnsafeMutablePointer<Waiter>? {
    get { unsafe waiter.pointee.next }
    set { unsafe waiter.pointee.next = newValue }
  }

  @usableFromInline
  static subscript(previous waiter: UnsafeMutablePointer<Waiter>) -> UnsafeMutablePointer<Waiter>? {
    get { unsafe waiter.pointee.previous }
    set { unsafe waiter.pointee.previous = newValue }
  }

  mutating func append(_ waiter: UnsafeMutablePointer<Waiter>) {
    unsafe insert(waiter, before: nil)
  }

  /// Appends all waiters of another list, which must not be used any more.
  @usableFromInline
  mutating func append(contentsOf other: Waiters) {
    guard let next = unsafe other.first else { return }
    guard let first = unsafe first else {
      self = other
      return
    }
    let last = unsafe first.pointee.previous!
    unsafe last.pointee.next = next
    unsafe first.pointee.previous = next.pointee.previous
    unsafe next.pointee.previous = last
  }

  mutating func removeFirst() -> UnsafeMutablePointer<Waiter>? {
    guard let waiter = unsafe first else { return nil }
    unsafe unlink(waiter)
    return unsafe waiter
  }

  // MARK: Served waiters

  /// Makes the list from its `bits`: the address of the first waiter, or 0 if the list is empty.
  @_alwaysEmitIntoClient
  init(bits: UInt) {
    unsafe first = unsafe UnsafeMutablePointer(bitPattern: bits)
  }

  @_alwaysEmitIntoClient
  var bits: UInt { UInt(bitPattern: unsafe first) }

  @_alwaysEmitIntoClient
  var isNotEmpty: Bool { unsafe first != nil }

  /// Notifies all waiters of the list, in their order, but threads before tasks: a task may run on the notifying
  /// thread, and no thread waits for a task.
  ///
  /// The caller must hold no lock, and must not use the list afterwards.
  @_alwaysEmitIntoClient
  @_transparent
  func wake() { callOutOfLine(interlock_protector_wake, bits) }

  mutating func wakeSlow() {
    var tasks = Waiters()
    // A waiter is removed first, because it may no longer exist after the notification.
    while let waiter = unsafe removeFirst() {
      if unsafe waiter.pointee.wakesThread {
        unsafe Waiter.notify(waiter)
      } else {
        unsafe tasks.append(waiter)
      }
    }
    while let waiter = unsafe tasks.removeFirst() { unsafe Waiter.notify(waiter) }
  }
}

/// The waits for one `WaitCondition`: for each kind, the first waiter represents all of them in `WaitLists`.
///
/// The others are the `followers` of that one, in the order of their arrival.
// `@unchecked Sendable` is sound: the group is part of the lists of one protector, and guarded like them.
// `@safe`: as for `WaitLists`.
@safe
@usableFromInline
final class WaitGroup: @unchecked Sendable {
  /// The key of the protector's queue.
  @usableFromInline
  let queue: UInt
  private var reader: UnsafeMutablePointer<Waiter>?
  private var task: UnsafeMutablePointer<Waiter>?
  /// The call of `serve` in which the condition was last evaluated, and the result.
  private var evaluation: (round: UInt64, holds: Bool) = (0, false)

  @usableFromInline
  init(queue: UInt) {
    self.queue = queue
  }

  /// The waiter that represents the group; `nil` if no waiter of that kind is in the group.
  subscript(kind: Waiter.Kind) -> UnsafeMutablePointer<Waiter>? {
    get { unsafe kind == .reader ? reader : task }
    set {
      if kind == .reader { unsafe reader = newValue } else { unsafe task = newValue }
    }
  }

  /// The result of `evaluate`, which is called at most once in each call of `serve`.
  ///
  /// The caller must be in a write section.
  func holds(in round: UInt64, _ evaluate: () -> Bool) -> Bool {
    if evaluation.round != round { evaluation = (round, evaluate()) }
    return evaluation.holds
  }

  /// Must be called when the group joins the lists, because another protector may have had the key before.
  func forgetEvaluation() { evaluation.round = 0 }
}
