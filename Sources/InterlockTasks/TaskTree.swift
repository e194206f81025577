internal import CInterlock
internal import InterlockCore
internal import InterlockWaits

/// A task of the package's own, the *root*, with its child tasks and theirs.
///
/// # Why
/// The root does not end before its child tasks. So a wait for its end that one of them begins is a deadlock, and a
/// trap is right. A wait by a `Task` that one of them has made may be right, because nothing need wait for that task.
/// Both find the root's task-local values.
///
/// # How a task finds its tree
/// The root binds the tree to a task-local value, and records the address of the binding. A child task uses the
/// bindings of its parent, while `Task` copies them. So a task is in the tree if the binding that it finds is at that
/// address. Its memory is not used again before the root has reset the record.
///
/// # Why a cycle of waits never ends
/// A root may record that it waits for the end of another one. Such a wait must end early only if its task is cancelled,
/// and a root must be cancelled only when nothing waits for it. So in a cycle, where each has one that waits for it, no
/// wait ends. The wait of a child task is no part of a cycle, because that task may be cancelled alone.
package final class TaskTree: @unchecked Sendable {
  // `@unchecked Sendable` is sound: `lock` guards `awaited`, and the words are atomic. They are not part of an algorithm
  // that the explorer searches.

  @TaskLocal private static var innermost: TaskTree?

  /// Guards the waits of all roots of the process.
  private static let lock = CoreLock()

  /// Identifies the object for which the root works.
  package let owner: ObjectIdentifier?

  private let binding = PlainAtomicWord()
  private let root = PlainAtomicWord()
  private var awaited: TaskTree?

  package init(of owner: ObjectIdentifier? = nil) { self.owner = owner }

  /// The address of the binding that the calling task finds; 0 if it finds none.
  private static var address: UInt64 {
    // Sound: the function compares the address of an object that is never freed.
    UInt64(
      interlock_task_local_address(unsafe UInt(bitPattern: Unmanaged.passUnretained($innermost).toOpaque())))
  }

  /// The tree of the calling task; `nil` if it is in none.
  package static var current: TaskTree? {
    guard let tree = innermost else { return nil }
    return tree.binding.load(.relaxed) == address ? tree : nil
  }

  /// Makes the calling task the root while it runs `body`.
  package func run<R: Sendable>(_ body: () async -> R) async -> R {
    await Self.$innermost.withValue(self) {
      root.store(TaskIdentity.current, .relaxed)
      binding.store(Self.address, .relaxed)
      let result = await body()
      binding.store(0, .relaxed)
      return result
    }
  }

  // MARK: Waits of the root

  private var isRoot: Bool { root.load(.relaxed) == TaskIdentity.current }

  /// Records that the calling task, which is in this tree, waits for the end of another root, if it is the root itself.
  ///
  /// - Returns: Whether the wait closes a cycle.
  package func willWait(for tree: TaskTree) -> Bool {
    guard isRoot else { return false }
    return Self.lock.withLock {
      awaited = tree
      var next = tree.awaited
      while let tree = next, tree !== self { next = tree.awaited }
      return next != nil
    }
  }

  /// Records that the calling task, which is in this tree, no longer waits.
  package func didWait() {
    guard isRoot else { return }
    // Released after the unlock.
    let tree = Self.lock.withLock { awaited.take() }
    withExtendedLifetime(tree) {}
  }
}
