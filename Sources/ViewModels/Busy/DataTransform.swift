internal import Dispatch
public import Lifecycles

/// A subsystem that works on data in the background, one piece after another, and tells observers when it is at work.
///
/// ```swift
/// let transform = DataTransform()
/// let thumbnail = await transform.run(photo) { scale($0, to: 128) }
/// ```
///
/// It stands for all the subsystems that others register with: it has a queue of its own, knows nothing of the life of its
/// observers, and may be the last to let one go. How an observer lives with that is shown by `BusyController`.
///
/// - **Order**: pieces of work run in the order in which they came, one at a time. The start of a piece is announced before its stop,
///   and observers are notified of all events in one order.
/// - **Observers**: held weakly, called on the main actor, never under a lock. See `WeakObservers`.
public final class DataTransform: Sendable {
  private let queue = DispatchQueue(label: "Interlock.DataTransform")
  let observers = WeakObservers<any DataTransformObserver>()

  /// How many pieces of work are waiting or running, as observers have been notified.
  @MainActor
  public private(set) var pending = 0

  /// An observer's registration.
  public typealias Registration = WeakObservers<any DataTransformObserver>.Registration

  private enum Event {
    case started
    case stopped
  }

  /// Makes a subsystem with a queue of its own.
  public init() {}

  // MARK: Work

  /// Does a piece of work on the subsystem's queue, after those before it.
  ///
  /// It suspends until that has ended; it can't be cancelled. Observers are notified of the start at once, and of the stop at the
  /// end; where this returns on the main actor, they may not have been notified of the stop yet.
  ///
  /// - Parameters:
  ///   - input: The data.
  ///   - work: What to make of it; runs on the subsystem's queue.
  /// - Returns: What `work` returned.
  /// - Throws: What `work` threw.
  public func run<Input: Sendable, Output: Sendable, E: Error>(
    _ input: Input, _ work: @escaping @Sendable (Input) throws(E) -> Output
  ) async throws(E) -> Output {
    let result: Result<Output, E> = await withCheckedContinuation { continuation in
      tell(.started)
      queue.async {
        let result: Result<Output, E>
        do throws(E) {
          result = .success(try work(input))
        } catch {
          result = .failure(error)
        }
        self.tell(.stopped)
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  // MARK: Observers

  /// Tells an observer of events from now on, for as long as it lives and has its registration.
  ///
  /// - Parameter observer: The observer, held weakly. What it was not notified is in `pending`.
  /// - Returns: The registration; it ends when it goes. On the main actor, the observer is not notified of anything after that.
  @MainActor
  public func register(_ observer: any DataTransformObserver) -> Registration {
    observers.register(observer)
  }

  /// Tells observers, on the main actor; events that are posted one after another are delivered one after another.
  private func tell(_ event: Event) {
    // Not a task: tasks are not run in the order in which they were made.
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        self.pending += event == .started ? 1 : -1
        self.observers.forEach { observer in
          switch event {
          case .started: observer.dataTransformDidStart(self)
          case .stopped: observer.dataTransformDidStop(self)
          }
        }
      }
    }
  }
}
