internal import Protectors
internal import ViewModels

/// A model that code in another language uses through a handle.
///
/// Its observer and its core end when the model is destroyed.
final class SharedModel: Sendable {
  private struct Attached: Sendable {
    weak var observer: ForeignObserver?
    var registration: UInt64 = 0
    var isDestroyed = false
  }

  let model: RowsViewModel
  private let core: ForeignRows?
  private let attached = ExclusiveProtector(Attached())

  init(_ model: RowsViewModel, core: ForeignRows? = nil) {
    self.model = model
    self.core = core
  }

  /// Makes an edit; returns `false` if its position does not exist, or if the model was destroyed.
  ///
  /// Not inlined, so that its caller does not retain the model.
  @inline(never)
  func apply(_ command: RowCommand) -> Bool { model.apply(command) }

  enum Observation: Sendable {
    case registered(UInt64)
    case observed
    case destroyed
  }

  /// Registers an observer, and returns the handle of its registration.
  ///
  /// Registers nothing if the model already has an observer (`observed`) or was destroyed (`destroyed`).
  ///
  /// - Parameter functions: The functions of the observer.
  @MainActor
  func observe(_ functions: ObserverFunctions) -> Observation {
    let observation = attached.withLock { attached -> (Observation, ForeignObserver?) in
      if attached.isDestroyed { return (.destroyed, nil) }
      if attached.observer?.isActive == true { return (.observed, nil) }
      let observer = ForeignObserver(functions)
      attached.observer = observer
      attached.registration = Handles.registrations.insert(observer)
      return (.registered(attached.registration), observer)
    }
    if let observer = observation.1 { model.observer = observer }
    return observation.0
  }

  /// Whether `destroy()` was called.
  var isDestroyed: Bool { attached.withLock { $0.isDestroyed } }

  /// Ends the model, its observer and its core, so that no workers run, and no code of the other language is
  /// called any more.
  ///
  /// Can be called on any thread. If another thread is already ending the observer or the core, the call
  /// waits until they have ended.
  func destroy() {
    let (observer, registration) = attached.withLock { attached in
      attached.isDestroyed = true
      return (attached.observer, attached.registration)
    }
    _ = Handles.registrations.remove(registration)
    // The model must end before the observer: a callback of the observer may wait for a thread that waits to
    // make an edit, and ending the model wakes that thread.
    model.end()
    observer?.end()
    core?.invalidate()
  }
}

/// A snapshot that has a handle.
final class SharedSnapshot: Sendable {
  let rows: RowsSnapshot

  init(_ rows: RowsSnapshot) {
    self.rows = rows
  }
}
