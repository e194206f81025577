public import CInterlock

/// A memory barrier that costs one side nothing, because the other side pays for both.
///
/// A thread that stores to X and then loads Y, racing with one that stores to Y and then loads X, needs a full barrier
/// between the two on both sides, or both may miss the other's store. Where one side is frequent and the other rare,
/// the frequent one uses `light()`, which only keeps the compiler from reordering, and the rare one `heavy()`, which
/// has every running thread of the process execute a full barrier (threads that don't run have executed one when they
/// were switched out). Wherever a thread is in its sequence at that moment, its store is before the barrier and visible to
/// the heavy side, or its load is after the barrier and sees what the heavy side stored.
@usableFromInline
package enum AsymmetricFence {
  /// Whether the system has it; asked once.
  package static let isAvailable = interlock_membarrier_register() != 0

  /// The frequent side: no instruction.
  @inlinable
  @inline(__always)
  package static func light() { interlock_compiler_barrier() }

  /// The rare side: a system call that interrupts the processors on which threads of this process run.
  package static func heavy() {
    let code = interlock_membarrier()
    if code != 0 {
      misuse(
        "AsymmetricFence", "the kernel took back membarrier (error \(code))",
        "allow it, or forbid it from the start")
    }
  }
}
