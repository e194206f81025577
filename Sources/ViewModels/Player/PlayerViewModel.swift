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
/// The form is one value, `PlayerState`, and changes in transactions: `perform(_:)` takes the whole state from one value
/// to the next, and nobody ever reads anything in between. There is no other way to change it.
///
/// - **Where**: actions are performed, and observers called, on the main actor. `snapshot` can be read on any thread: the
///   state is behind a `Protector`, whose readers cost each other nothing.
/// - **Order**: each transaction is announced to all observers before the next one begins. An action that an observer performs,
///   also the handler of an event, is queued and takes place after that: it is never lost and never seen half-way.
///   Until then `state` is that of the transaction being notified.
/// - **Observing**: with `states` and `events` and what is derived from them, by closure or as an `AsyncSequence`; or with
///   the `Observation` module (SwiftUI, `withObservationTracking`), which tracks reads of `state`.
/// - **Uploads**: one at a time, in the background, of what was in the form at the press.
/// - **Its end**: streams end when the model is released. An upload that is under way goes on, and its result is dropped.
@MainActor
public final class PlayerViewModel: Observable {
  private enum Transition {
    case actions([PlayerAction])
    case uploadEnded(PlayerUploadFailure?)
  }

  /// Written on the main actor only, read by all threads.
  private nonisolated let protected: Protector<PlayerState>

  private let initial: PlayerState
  private let uploading: PlayerUploading
  private let registrar = ObservationRegistrar()

  private let transitions = TransitionQueue<Transition>()

  private nonisolated let stateSource: StreamSource<PlayerState>
  private nonisolated let eventSource: StreamSource<PlayerEvent>

  /// What names are in another language; can be read on any thread.
  public nonisolated let translations: NameTranslations

  /// Makes the model of a form.
  ///
  /// - Parameters:
  ///   - initial: The state in the beginning and after each reset.
  ///   - translations: What names are in another language.
  ///   - uploader: Where to upload to.
  ///   - uploadTimeout: How long an upload may take before it is cancelled, on `clock`.
  ///   - clock: What tells how long uploads take.
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
    stateSource = StreamSource { protected.snapshot }
    eventSource = StreamSource { nil }
  }

  deinit {
    stateSource.close()
    eventSource.close()
  }

  // MARK: Reading

  /// The state of the form; reading it is tracked by the `Observation` module.
  ///
  /// A tracked read is invalidated by each transaction that changes anything, and by each that refuses what was entered: a
  /// field that shows the refused text has to be drawn again.
  public var state: PlayerState {
    registrar.access(self, keyPath: \.state)
    return snapshot
  }

  /// The state of the form, on any thread; not tracked.
  ///
  /// It waits while a transaction is put in place, which is as long as an exchange of two values.
  public nonisolated var snapshot: PlayerState { protected.snapshot }

  /// The name in the other language, on any thread; not tracked.
  ///
  /// It blocks while the table of names is made.
  public nonisolated var translatedName: String { translations[snapshot.name] }

  // MARK: Observing

  /// The state now and after each transaction that changes it.
  public nonisolated var states: ModelStream<PlayerState, PlayerState> {
    ModelStream(values: stateSource)
  }

  /// What happens from now on; events that are equal are still two.
  public nonisolated var events: ModelStream<PlayerEvent, PlayerEvent> {
    ModelStream(events: eventSource)
  }

  // MARK: Changing

  /// Performs actions, in this order, as one transaction.
  ///
  /// When it returns, observers have been notified; called by an observer, it returns at once, and the transaction takes place
  /// when all observers have been notified of the present one.
  ///
  /// - Parameter actions: What to do; what the form does not permit when its turn comes is left out.
  public func perform(_ actions: PlayerAction...) {
    enqueue(.actions(actions))
  }

  private func enqueue(_ transition: Transition) {
    transitions.add(transition) { make($0) }
  }

  /// Takes the state from one value to the next and tells everybody.
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
      // One writer, the main actor: between `before` and here nobody else changed anything. The observers of `registrar`
      // are called outside the lock, and the old state is released there.
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
