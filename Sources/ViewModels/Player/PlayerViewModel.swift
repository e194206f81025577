internal import AtomicProperties
public import Observation
internal import Protectors

/// The model of a form in which a player is named, given points and uploaded.
///
/// ```swift
/// let player = PlayerViewModel(uploader: server)
/// let shown = player.states.map(\.isStepperVisible).observe { stepper.isHidden = !$0 }
/// player.perform(.rename("Ann"), .stepUp)              // one transaction
/// player.perform(.upload)                              // in the background; the result comes as an event
/// ```
///
/// The form is one value, `PlayerState`. It changes in transactions, each of which replaces the whole state
/// in one step. A transaction is a call of `perform(_:)`, or the end of an upload.
///
/// - **Isolation**: actions are performed, and observers called, on the main actor. `snapshot` can be read on
///   any thread: the state is behind a `Protector`, whose readers don't slow one another down.
/// - **Order**: all observers are notified of a transaction before the next one begins. If an observer
///   performs an action, that transaction waits in a queue. `state` keeps its value meanwhile. Actions that
///   an observer performs in its first call, with the current state, take place after that call, and before
///   `observe` returns.
/// - **Observing**: `states`, `events` and the streams derived from them can call a closure, or be read as an
///   `AsyncSequence`. The `Observation` module tracks reads of `state` (SwiftUI, `withObservationTracking`).
/// - **Uploads**: one at a time, in the background, with the form's data at the time of the request.
/// - **End**: streams end when the model is deallocated. A running upload continues, and its result is
///   dropped.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
public final class PlayerViewModel: Observable {
  private enum Transition {
    case actions([PlayerAction])
    case uploadEnded(PlayerUploadFailure?)
  }

  /// The state of the form.
  ///
  /// Only the main actor writes it, and any thread may read it.
  private nonisolated let protected: Protector<PlayerState>

  private let initial: PlayerState
  private let uploading: PlayerUploading
  private let registrar = ObservationRegistrar()

  private let transitions = TransitionQueue<Transition>()

  private nonisolated let stateSource: StreamSource<PlayerState>
  private nonisolated let eventSource: StreamSource<PlayerEvent>

  /// The players' names in another language; can be read on any thread.
  public nonisolated let translations: NameTranslations

  /// Makes the model of a form.
  ///
  /// - Parameters:
  ///   - initial: The initial state, which a reset restores.
  ///   - translations: The players' names in another language.
  ///   - uploader: Uploads the form.
  ///   - uploadTimeout: The time that an upload may take before its task is cancelled.
  ///   - clock: The clock that measures `uploadTimeout`.
  public init(
    _ initial: PlayerState = PlayerState(),
    translations: NameTranslations = NameTranslations { [:] },
    uploader: any PlayerUploader,
    uploadTimeout: Duration = .seconds(30),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    let protected = Protector(initial)
    self.protected = protected
    self.initial = initial
    self.translations = translations
    uploading = PlayerUploading(uploader: uploader, timeout: uploadTimeout, clock: clock)
    let transitions = transitions
    stateSource = StreamSource(current: { protected.snapshot }, whileDelaying: { transitions.delaying($0) })
    eventSource = StreamSource(current: { nil })
    transitions.make = { [weak self] in self?.make($0) }
  }

  deinit {
    stateSource.close()
    eventSource.close()
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
  ///
  /// Blocks briefly while a transaction swaps the new state in.
  public nonisolated var snapshot: PlayerState { protected.snapshot }

  /// The player's name as `translations` translates it; can be read on any thread, and reads are not tracked.
  ///
  /// Blocks while another thread makes the table of names.
  public nonisolated var translatedName: String { translations[snapshot.name] }

  // MARK: Observing

  /// A stream of the state: its current value, and the value after each transaction that changes it.
  public nonisolated var states: ModelStream<PlayerState, PlayerState> {
    ModelStream(values: stateSource)
  }

  /// A stream of events: an observer gets each event that occurs after its subscription.
  ///
  /// Each event is sent, even if it equals the previous one.
  public nonisolated var events: ModelStream<PlayerEvent, PlayerEvent> {
    ModelStream(events: eventSource)
  }

  // MARK: Changing

  /// Performs actions, in the given order, as one transaction.
  ///
  /// Returns after all observers have been notified. If an observer calls this function, the call returns
  /// immediately, and the transaction takes place after all observers have been notified of the current one.
  ///
  /// - Parameter actions: The actions. An action is ignored if the form does not permit it when its turn
  ///   comes.
  public func perform(_ actions: PlayerAction...) {
    enqueue(.actions(actions))
  }

  private func enqueue(_ transition: Transition) {
    transitions.add(transition)
  }

  /// Performs a transition, notifies observers, and starts an upload if the transition requests one.
  private func make(_ transition: Transition) {
    let before = protected.snapshot
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
    stateSource.send(after)
    for event in effects.events { eventSource.send(event) }
    if let upload = effects.upload { start(upload) }
  }

  // MARK: Uploading

  private func start(_ upload: PlayerUpload) {
    Task.detached { [uploading, weak self] in
      let failure = await uploading.upload(upload)
      await self?.enqueue(.uploadEnded(failure))
    }
  }
}
