// The state machine of the form. It uses no threads and no locks. A transition changes the state and adds its
// effects to `effects`; the view model carries them out.

extension PlayerState {
  /// The effects of a transition, for the view model to carry out.
  struct Effects {
    /// The events, in order.
    var events: [PlayerEvent] = []

    /// The upload to start.
    var upload: PlayerUpload?
  }

  /// Performs an action, if this state permits it.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - initial: The state that a reset restores.
  ///   - effects: The effects of the action are added here.
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

  /// Records the end of the current upload: its failure, or its success if `failure` is `nil`.
  ///
  /// Adds the event that reports the end to `effects`. Does nothing if no upload is running.
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

  /// Adds the step size to the points, but stops at the maximum.
  ///
  /// Points that already exceed the maximum are not changed.
  private mutating func stepUp() {
    let (sum, overflows) = points.addingReportingOverflow(step)
    updatePoints(max(points, overflows ? maximum : min(sum, maximum)))
  }

  /// Subtracts the step size from the points, but stops at the minimum.
  ///
  /// Points that are already below the minimum are not changed.
  private mutating func stepDown() {
    let (difference, overflows) = points.subtractingReportingOverflow(step)
    updatePoints(min(points, overflows ? minimum : max(difference, minimum)))
  }

  /// Sets the points and counts the change; does nothing if the points stay the same or the stepper is
  /// hidden.
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

  /// Restores the initial state, but keeps a running upload, so that no second upload begins before its end.
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
