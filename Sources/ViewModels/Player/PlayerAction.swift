/// What can be done to the player form: the only way in which its state changes.
///
/// An action that the form does not permit at the moment, because the control for it is hidden or disabled, changes nothing.
public enum PlayerAction: Sendable, Equatable {
  /// A name was entered; a forbidden one is cleared and becomes an event. Ignored when the name is disabled.
  case rename(String)

  /// The stepper's plus was pressed: a step more, but not beyond the maximum. Ignored when the stepper is hidden.
  case stepUp

  /// The stepper's minus was pressed: a step less, but not beyond the minimum. Ignored when the stepper is hidden.
  case stepDown

  /// A number of points was entered, valid or not. Ignored when the stepper is hidden.
  case setPoints(Int)

  /// Steps are this big from now on; less than 1 traps.
  case setStep(Int)

  /// Valid points are not less than this from now on.
  case setMinimum(Int)

  /// Valid points are not more than this from now on.
  case setMaximum(Int)

  /// These names are forbidden from now on. A name that is there stays; the form is no longer valid.
  case setForbiddenNames(Set<String>)

  /// The button to upload was pressed. Ignored when it is hidden, when the form is not valid and while an upload is under way.
  case upload

  /// Everything goes back to what it was in the beginning, counters included.
  ///
  /// An upload that is under way goes on, still alone, and is reported when it ends; its success is not counted.
  case reset
}
