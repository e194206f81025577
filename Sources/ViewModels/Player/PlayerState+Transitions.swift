internal import PlatformLocks

// The state machine of the form: a pure value. It changes itself and says what is to be done outside; who does that, on
// which thread and behind which lock is the model's business, and tests need neither.

extension PlayerState {
  /// What is to be done outside when a transition has taken place.
  struct Effects {
    /// What happened, in order.
    var events: [PlayerEvent] = []

    /// What is to be uploaded now.
    var upload: PlayerUpload?
  }

  /// Does what was asked for, or nothing where the form doesn't permit it.
  ///
  /// - Parameters:
  ///   - action: What was asked for.
  ///   - initial: The state that a reset goes back to.
  ///   - effects: What is to be done outside is added here.
  mutating func apply(_ action: PlayerAction, initial: PlayerState, effects: inout Effects) {
    switch action {
    case .rename(let newName): rename(newName, effects: &effects)
    case .stepUp: stepUp()
    case .stepDown: stepDown()
    case .setPoints(let newPoints): updatePoints(newPoints)
    case .setStep(let newStep):
      Self.checkStep(newStep)
      step = newStep
    case .setMinimum(let newMinimum): minimum = newMinimum
    case .setMaximum(let newMaximum): maximum = newMaximum
    case .setForbiddenNames(let names): forbiddenNames = names
    case .upload: beginUpload(effects: &effects)
    case .reset: reset(to: initial)
    }
  }

  /// The current upload has ended, with an error or without.
  mutating func endUpload(_ failure: PlayerUploadFailure?, effects: inout Effects) {
    guard let upload = currentUpload else { return }
    if failure == nil, !isCurrentUploadForgotten { uploads += 1 }
    currentUpload = nil
    isCurrentUploadForgotten = false
    happen(failure.map { .uploadFailed(upload, $0) } ?? .uploaded(upload), effects: &effects)
  }

  // MARK: One action each

  private mutating func rename(_ newName: String, effects: inout Effects) {
    guard isNameEnabled else { return }
    guard forbiddenNames.contains(newName) else {
      name = newName
      return
    }
    name = ""
    happen(.forbiddenName(newName), effects: &effects)
  }

  /// A step ends at the maximum and never leads down to it.
  private mutating func stepUp() {
    let (sum, overflows) = points.addingReportingOverflow(step)
    updatePoints(max(points, overflows ? maximum : min(sum, maximum)))
  }

  /// A step ends at the minimum and never leads up to it.
  private mutating func stepDown() {
    let (difference, overflows) = points.subtractingReportingOverflow(step)
    updatePoints(min(points, overflows ? minimum : max(difference, minimum)))
  }

  /// What changes nothing is no update.
  private mutating func updatePoints(_ newPoints: Int) {
    guard isStepperVisible, newPoints != points else { return }
    points = newPoints
    pointUpdates += 1
  }

  private mutating func beginUpload(effects: inout Effects) {
    guard isUploadEnabled else { return }
    let upload = PlayerUpload(name: name, points: points)
    currentUpload = upload
    effects.upload = upload
  }

  /// All at once; but an upload that is under way stays so, or a second one could begin beside it.
  private mutating func reset(to initial: PlayerState) {
    let upload = currentUpload
    self = initial
    currentUpload = upload
    isCurrentUploadForgotten = upload != nil
  }

  private mutating func happen(_ event: PlayerEvent, effects: inout Effects) {
    lastEvent = event
    effects.events.append(event)
  }

  // MARK: Misuse

  static func checkStep(_ step: Int) {
    if step >= 1 { return }
    misuse("PlayerState", "given a step of \(step)", "pass a number of at least 1")
  }

  static func checkLimit(_ limit: Int) {
    if limit >= 0 { return }
    misuse("PlayerState", "given a limit of \(limit)", "pass a number of at least 0")
  }
}
