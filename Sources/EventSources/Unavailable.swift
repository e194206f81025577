// What a program may guess, with what it should write instead.

extension SourceEvents {
  /// Not available: a sequence needs a source that its owner activates and invalidates.
  @available(
    *, unavailable,
    message:
      "events come from the configuration of a Setup: let events = setup.configuration.makeEvents(); then setup.withActivation { … }"
  )
  public init(_ configuration: ActivatedSource<Event>.Configuration) {
    self.init(mailbox: EventMailbox(label: configuration.label))
  }
}
