public import Observation
public import Protectors

/// The model of a form in which a player is named, given points and uploaded.
///
/// ```swift
/// let player = PlayerViewModel(uploader: server)
/// player.onEvent = { banner.text = $0.message }
/// player.perform(.rename("Ann"), .stepUp)              // one transaction
/// player.perform(.upload)                              // in the background; the result comes as an event
/// for await isVisible in player.states.map(\.isStepperVisible) { stepper.isHidden = !isVisible }
/// ```
///
/// The form is one value, `PlayerState`. It changes in transactions, each of which replaces the whole state
/// in one step. A transaction is a call of `perform(_:)`, or the end of an upload.
///
/// - **Isolation**: actions are performed, and observers called, on the main actor. Any thread can read
///   `snapshot` and `states`: the state is behind a `Protector`.
/// - **Order**: if an observer performs an action, that transaction begins after the observers were notified of
///   the current one.
/// - **Observing**: the `Observation` module tracks reads of `state` (SwiftUI, `withObservationTracking`).
///   `states` is an asynchronous sequence for tasks.
/// - **Uploads**: one at a time, in the background, with the form's data at the time of the request.
/// - **End**: a running upload of a deallocated model continues, and its result is dropped.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
public final class PlayerViewModel: Observable {
  private enum Transition {
    case actions([PlayerAction])
    case uploadEnded(PlayerUploadFailure?)
  }

  /// Called with each event on the main actor, after the transaction that caused it.
  ///
  /// The model holds this closure, so the closure must capture the model and its owner weakly.
  public var onEvent: (@MainActor (PlayerEvent) -> Void)?

  /// The players' names in another language; can be read on any thread.
  public nonisolated let translations: NameTranslations

  /// The state of the form.
  ///
  /// Only the main actor writes it, and any thread may read it.
  private nonisolated let protected: Protector<PlayerState>

  private let initial: PlayerState
  private let uploading: PlayerUploading
  private let registrar = ObservationRegistrar()
  private var waiting: [Transition] = []
  private var isPerforming = false

  /// Creates the model of a form.
  ///
  /// - Parameters:
  ///   - initial: The initial state, which a reset restores. Its counters stay. An upload or an event of another view
  ///     model, in a state of that one, is none of this one.
  ///   - translations: The players' names in another language.
  ///   - uploader: Uploads the form.
  ///   - uploadTimeout: The time that an upload may take before its task is cancelled. A negative one traps. One of
  ///     more than 68 years never passes.
  ///   - clock: The clock that measures `uploadTimeout`.
  public init(
    _ initial: PlayerState = PlayerState(),
    translations: NameTranslations = NameTranslations { [:] },
    uploader: any PlayerUploader,
    uploadTimeout: Duration = .seconds(30),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    if uploadTimeout < .zero {
      misuse("PlayerViewModel", "given an upload timeout of \(uploadTimeout)", "pass .zero or more")
    }
    var initial = initial
    initial.currentUpload = nil
    initial.isCurrentUploadForgotten = false
    initial.lastEvent = nil
    protected = Protector(initial)
    self.initial = initial
    self.translations = translations
    uploading = PlayerUploading(uploader: uploader, timeout: uploadTimeout, clock: clock)
  }

  // MARK: Reading

  /// The state of the form.
  ///
  /// The `Observation` module tracks reads of this property. It reports each transaction that changes the
  /// state. It also reports each transaction that refuses a forbidden name, because the text field still
  /// shows that name and has to be drawn again.
  public var state: PlayerState {
    registrar.access(self, keyPath: \.state)
    return snapshot
  }

  /// The state of the form; can be read on any thread, and reads are not tracked.
  public nonisolated var snapshot: PlayerState { protected.value }

  /// An asynchronous sequence of distinct states: the current one, and the newest one after each change.
  ///
  /// Derive others by the functions of `AsyncSequence`, such as `map`, `filter` and `dropFirst`. The sequence
  /// ends when its task is cancelled.
  public nonisolated var states: ProtectorValues<PlayerState> { protected.values(of: { $0 }) }

  /// The player's name as `translations` translates it; can be read on any thread, and reads are not tracked.
  ///
  /// Blocks while another thread makes the table of names.
  public nonisolated var translatedName: String { translations[snapshot.name] }

  // MARK: Changing

  /// Performs actions, in the given order, as one transaction.
  ///
  /// Returns after the observers were notified. If an observer calls this function, the call returns
  /// immediately, and the transaction takes place after the current one.
  ///
  /// - Parameter actions: The actions. An action is ignored if the form does not permit it when its turn
  ///   comes.
  public func perform(_ actions: PlayerAction...) {
    enqueue(.actions(actions))
  }

  private func enqueue(_ transition: Transition) {
    waiting.append(transition)
    if isPerforming { return }
    isPerforming = true
    defer { isPerforming = false }
    while !waiting.isEmpty { make(waiting.removeFirst()) }
  }

  /// Performs a transition, notifies observers, and starts an upload if the transition requests one.
  private func make(_ transition: Transition) {
    let before = snapshot
    var after = before
    var effects = PlayerState.Effects()
    switch transition {
    case .actions(let actions):
      for action in actions { after.apply(action, initial: initial, effects: &effects) }
    case .uploadEnded(let failure):
      after.endUpload(failure, effects: &effects)
    }
    if after != before || !effects.events.isEmpty {
      // Only the main actor writes, so the state is still `before`. `registrar` calls its observers before
      // and after the exchange, so never under the lock. The old state is destroyed outside the lock too.
      registrar.withMutation(of: self, keyPath: \.state) { _ = protected.exchange(after) }
    }
    for event in effects.events { onEvent?(event) }
    if let upload = effects.upload { start(upload) }
  }

  private func start(_ upload: PlayerUpload) {
    Task.detached { [uploading, weak self] in
      let failure = await uploading.upload(upload)
      await self?.enqueue(.uploadEnded(failure))
    }
  }
}
