// What the form shows. Computed from the whole state each time: nothing to update, nothing to forget.

extension PlayerState {
  /// Whether the form can be uploaded as it is.
  ///
  /// The name is not empty, has no space in it (of any kind) and is not forbidden, and the points are not less than the
  /// minimum and not more than the maximum.
  ///
  /// - Complexity: O(length of the name).
  public var isValid: Bool {
    !name.isEmpty && !name.contains(where: \.isWhitespace) && !forbiddenNames.contains(name)
      && minimum <= points && points <= maximum
  }

  /// Whether as many uploads as may be have succeeded.
  public var isUploadLimitReached: Bool { uploads >= uploadLimit }

  /// Whether the name can be changed: until the last upload.
  public var isNameEnabled: Bool { !isUploadLimitReached }

  /// Whether the points can be changed: until the last update or the last upload.
  public var isStepperVisible: Bool { pointUpdates < pointUpdateLimit && !isUploadLimitReached }

  /// Whether there is a button to upload: until the last upload.
  public var isUploadVisible: Bool { !isUploadLimitReached }

  /// Whether pressing the button to upload does anything: the form is valid and no upload is under way.
  public var isUploadEnabled: Bool { isUploadVisible && isValid && !isUploading }

  /// Whether an upload is under way.
  public var isUploading: Bool { currentUpload != nil }
}
