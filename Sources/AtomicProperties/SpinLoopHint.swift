public import InterlockCore
public import Synchronization

/// Tells the processor that the calling thread polls a value in a loop, until another thread changes it.
///
/// ```swift
/// import AtomicProperties
///
/// let isReady = LockFreeProperty(false)
///
/// func waitUntilReady() {
///   while !isReady.value { spinLoopHint() }
/// }
/// ```
///
/// It is the processor's pause instruction (`pause` on x86, `isb` on ARM), which makes the loop cheaper for
/// other threads of the processor. It neither yields nor sleeps, so use it only for waits of microseconds.
///
/// On a thread that an exploration runs (see `Exploration`), it returns only after another thread has changed
/// a value. Without it, an exploration of the loop does not end.
public func spinLoopHint() { Backoff.pauseUntilChange() }

/// A memory fence between the calling thread's earlier and later operations, as C++'s `atomic_thread_fence`.
///
/// Use it instead of the standard library's `atomicMemoryFence(ordering:)`, which has the same effect: an
/// exploration (see `Exploration`) sees only this one.
///
/// - Parameter ordering: The memory ordering of the fence; with `.relaxed` it does nothing.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@_alwaysEmitIntoClient
@inline(__always)
public func atomicThreadFence(ordering: AtomicUpdateOrdering) { fence(MemoryOrdering(ordering)) }
