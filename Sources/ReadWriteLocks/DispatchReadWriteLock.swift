internal import Dispatch
public import PlatformLocks

/// A concurrent dispatch queue as a `ReadWriteLock`: reads are `sync`, writes are `sync` barriers.
///
/// The classic of Apple's platforms, here to compare with and for programs that want the queue's order and quality
/// of service. The body runs on the calling thread.
///
/// - **Fairness**: first in, first out; readers that follow one another run together.
/// - **Recursion**: reading inside a read section of the same lock just runs the body, without the queue. Reading
///   inside a write section and writing inside any section of the same lock trap.
/// - **Deadlocks it permits**: two locks in opposite orders. Recursion is not seen, and deadlocks, when the inner
///   call is made from another queue that the section entered with `sync`.
/// - **Size**: an object and a queue.
public final class DispatchReadWriteLock: ReadWriteLock {
  private let queue: DispatchQueue
  private let inside = DispatchSpecificKey<Section>()

  // Sound: written inside barriers, read inside sections only, which a barrier excludes.
  private nonisolated(unsafe) var isWriting = false

  /// What the queue knows of the section that runs on it: nothing; its presence is the answer.
  private struct Section: Sendable {}

  /// Makes a lock that is free.
  ///
  /// - Parameter label: The queue's label, as shown by debuggers and crash reports.
  public init(label: String = "Interlock.DispatchReadWriteLock") {
    queue = DispatchQueue(label: label, attributes: .concurrent)
    queue.setSpecific(key: inside, value: Section())
  }

  deinit {
    queue.setSpecific(key: inside, value: nil)
  }

  /// The promise that `ReadWriteLock` asks for.
  @unsafe public static func unsafePromiseOfExclusion() {
    // A barrier runs alone on its queue, and `queue.sync` returns after its closure has run once.
  }

  // MARK: Access

  /// Runs `body` while no thread writes; other readers may run at the same time.
  ///
  /// It waits for the writers that came before. Inside a read section of the same lock it runs `body` at once; inside
  /// a write section it traps.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the lock is released first.
  @inlinable
  public func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    var outcome = Outcome<R, E>()
    read {
      do throws(E) { outcome.put(.success(try body())) } catch { outcome.put(.failure(error)) }
    }
    return try outcome.take()
  }

  /// Runs `body` while no other thread reads or writes.
  ///
  /// It waits for the sections that came before, and traps inside a section of the same lock.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the lock is released first.
  @inlinable
  public func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    var outcome = Outcome<R, E>()
    write {
      do throws(E) { outcome.put(.success(try body())) } catch { outcome.put(.failure(error)) }
    }
    return try outcome.take()
  }

  // MARK: The queue

  private var isInsideSection: Bool { DispatchQueue.getSpecific(key: inside) != nil }

  @usableFromInline
  func read(_ body: () -> Void) {
    guard isInsideSection else { return queue.sync(execute: body) }
    if unsafe isWriting {
      misuse(
        "DispatchReadWriteLock", "locked for reading by the thread that holds it for writing",
        "use what the write section gives access to")
    }
    body()
  }

  @usableFromInline
  func write(_ body: () -> Void) {
    if isInsideSection {
      misuse(
        "DispatchReadWriteLock", "locked for writing inside a section of the same lock",
        "take the write lock once, from outside")
    }
    queue.sync(flags: .barrier) {
      unsafe isWriting = true
      body()
      unsafe isWriting = false
    }
  }
}
