internal import Dispatch
public import Observers

/// A subsystem that processes data in the background, one item after another.
///
/// It notifies observers when an item is passed in, and when the item has ended.
///
/// ```swift
/// let transform = DataTransform()
/// let thumbnail = await transform.run(photo) { scale($0, to: 128) }
/// ```
///
/// It is an example of a subsystem with registered observers. While it calls an observer, it holds a strong
/// reference, which can become the last one. Then the observer's `deinit` runs inside the subsystem.
/// `BusyController` avoids this danger: it is unregistered earlier, by its `invalidate()`.
///
/// - **Order**: work items run in the order in which they were passed in, one at a time, on a queue of the
///   subsystem. All observers are notified of all events in the same order.
/// - **Observers**: held weakly, called on the main actor, never under a lock. See `WeakObservers`.
public final class DataTransform: Sendable {
  private let queue = DispatchQueue(label: "Interlock.DataTransform")
  let observers = WeakObservers<any DataTransformObserver>()

  /// The number of work items that wait or run.
  ///
  /// It changes on the main actor, right before observers are notified that an item was passed in, or that it
  /// has ended.
  @MainActor
  public private(set) var pending = 0

  /// An observer's registration.
  public typealias Registration = WeakObservers<any DataTransformObserver>.Registration

  /// A notification for the observers; keeps its subsystem alive until it is delivered.
  private struct Event: Sendable {
    let transform: DataTransform
    let isStart: Bool
  }

  /// Delivers events to the main actor in order: updates `pending`, then notifies the observers.
  private let events = OrderedDelivery<Event> { event in
    let transform = event.transform
    transform.pending += event.isStart ? 1 : -1
    transform.observers.forEach { observer in
      if event.isStart {
        observer.dataTransformDidStart(transform)
      } else {
        observer.dataTransformDidStop(transform)
      }
    }
  }

  /// Makes a subsystem with a queue of its own.
  public init() {}

  // MARK: Work

  /// Runs a work item on the subsystem's queue, after earlier items.
  ///
  /// Suspends the calling task until the item has ended. Cancelling the task does not end the item. Observers
  /// are notified when the item is passed in, and when it has ended. The calling task can resume before the
  /// second notification, even on the main actor.
  ///
  /// - Parameters:
  ///   - input: The data.
  ///   - work: Processes the data, on the subsystem's queue.
  /// - Returns: The result of `work`.
  /// - Throws: The error of `work`.
  public func run<Input: Sendable, Output: Sendable, E: Error>(
    _ input: Input, _ work: @escaping @Sendable (Input) throws(E) -> Output
  ) async throws(E) -> Output {
    let result: Result<Output, E> = await withCheckedContinuation { continuation in
      tell(isStart: true)
      queue.async {
        let result: Result<Output, E>
        do throws(E) {
          result = .success(try work(input))
        } catch {
          result = .failure(error)
        }
        self.tell(isStart: false)
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  // MARK: Observers

  /// Registers an observer.
  ///
  /// The observer is notified of later events while both it and its registration exist.
  ///
  /// - Parameter observer: The observer, held weakly. It is not notified of earlier events, but can read
  ///   `pending`.
  /// - Returns: The registration. Destroying it ends the observation. If it is destroyed on the main
  ///   actor, the observer is not called afterwards.
  @MainActor
  public func observe(by observer: any DataTransformObserver) -> Registration {
    observers.add(observer)
  }

  private func tell(isStart: Bool) {
    _ = events.post(Event(transform: self, isStart: isStart))
  }
}
