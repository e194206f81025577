/// An action on the player form.
///
/// The form's state changes only by actions.
///
/// An action has no effect while the form does not permit it, because its control is hidden or disabled.
public enum PlayerAction: Sendable, Equatable {
  /// The action of entering a name.
  ///
  /// A forbidden name is cleared and becomes an event. Ignored when the name is disabled.
  case rename(String)

  /// The action of pressing the stepper's plus: adds a step, up to the maximum.
  ///
  /// Ignored when the stepper is hidden.
  case stepUp

  /// The action of pressing the stepper's minus: subtracts a step, down to the minimum.
  ///
  /// Ignored when the stepper is hidden.
  case stepDown

  /// The action of entering a number of points, valid or not.
  ///
  /// Ignored when the stepper is hidden.
  case setPoints(Int)

  /// The action of setting the size of a step.
  ///
  /// A size less than 1 traps.
  case setStep(Int)

  /// The action of setting the least number of points that is valid.
  case setMinimum(Int)

  /// The action of setting the greatest number of points that is valid.
  case setMaximum(Int)

  /// The action of setting the forbidden names.
  ///
  /// If the current name is among them, it stays, and the form is no longer valid.
  case setForbiddenNames(Set<String>)

  /// The action of pressing the button to upload.
  ///
  /// Ignored when it is hidden, when the form is not valid and during an upload.
  case upload

  /// The action of resetting the form to its initial state, counters included.
  ///
  /// A running upload continues, and no second one can begin beside it. It is reported when it ends, and its
  /// success is not counted.
  case reset
}
