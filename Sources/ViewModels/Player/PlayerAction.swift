/// An action on the player form.
///
/// The form's state changes only by actions and when an upload ends.
///
/// An action has no effect while its control is hidden or disabled.
public enum PlayerAction: Sendable, Equatable {
  /// The action of entering a name.
  ///
  /// If the new name is forbidden, the form clears its name and reports `PlayerEvent.forbiddenName`. The
  /// action is ignored while the name is disabled.
  case rename(String)

  /// The action of pressing the stepper's plus button: adds the step size to the points, up to the maximum.
  ///
  /// Ignored when the stepper is hidden.
  case stepUp

  /// The action of pressing the stepper's minus button: subtracts the step size from the points, down to the
  /// minimum.
  ///
  /// Ignored when the stepper is hidden.
  case stepDown

  /// The action of entering a number of points, valid or not.
  ///
  /// Ignored when the stepper is hidden.
  case setPoints(Int)

  /// The action of setting the step size: how many points a press of the stepper adds or subtracts.
  ///
  /// A number less than 1 traps.
  case setStep(Int)

  /// The action of setting the least number of points that is valid.
  ///
  /// If it exceeds the maximum, no number is valid.
  case setMinimum(Int)

  /// The action of setting the greatest number of points that is valid.
  ///
  /// If it is less than the minimum, no number is valid.
  case setMaximum(Int)

  /// The action of setting the forbidden names.
  ///
  /// If the current name is among them, the name stays and the form becomes invalid.
  case setForbiddenNames(Set<String>)

  /// The action of pressing the button to upload.
  ///
  /// Ignored while the button is hidden, while the form is invalid, and during an upload.
  case upload

  /// The action of resetting the form to its initial state, counters included.
  ///
  /// A running upload continues, and no second upload can begin before it ends. Its end is reported as an
  /// event, but its success is not counted.
  case reset
}
