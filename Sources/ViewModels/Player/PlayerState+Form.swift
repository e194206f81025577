// The properties that the form shows. Each read computes them from the state, so they are never out of date.

extension PlayerState {
  /// Whether the contents of the form are valid.
  ///
  /// They are valid if the name is not empty, contains no white space and is not forbidden, and the points
  /// are between the minimum and the maximum, inclusive.
  ///
  /// - Complexity: O(length of the name).
  public var isValid: Bool {
    !name.isEmpty && !name.contains(where: \.isWhitespace) && !forbiddenNames.contains(name)
      && minimum <= points && points <= maximum
  }

  /// Whether the number of successful uploads has reached `uploadLimit`.
  public var isUploadLimitReached: Bool { uploads >= uploadLimit }

  /// Whether the name can be changed.
  ///
  /// It can't be changed after the last permitted upload.
  public var isNameEnabled: Bool { !isUploadLimitReached }

  /// Whether the control that changes the points is visible.
  ///
  /// It is hidden after the last permitted change of the points, and after the last permitted upload.
  public var isStepperVisible: Bool { pointUpdates < pointUpdateLimit && !isUploadLimitReached }

  /// Whether the button to upload is visible.
  ///
  /// The button is hidden after the last permitted upload.
  public var isUploadVisible: Bool { !isUploadLimitReached }

  /// Whether the button to upload is enabled: it is visible, the form is valid, and no upload is running.
  public var isUploadEnabled: Bool { isUploadVisible && isValid && !isUploading }

  /// Whether an upload is running.
  public var isUploading: Bool { currentUpload != nil }
}
