/// What a section returned or threw, on its way out of a closure that can carry neither a typed error nor a noncopyable
/// result.
@usableFromInline
struct SectionOutcome<Success: ~Copyable, Failure: Error>: ~Copyable, @unchecked Sendable {
  // Sound, and `Sendable`: one thread puts and takes, and what it puts is `sending`: nobody else has it.
  private nonisolated(unsafe) var result: Result<Success, Failure>?

  /// Whether there is something to take.
  @usableFromInline
  private(set) var isPresent = false

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func put(_ result: consuming sending Result<Success, Failure>) {
    unsafe self.result = consume result
    isPresent = true
  }

  /// What was put; traps where nothing was.
  @usableFromInline
  mutating func take() throws(Failure) -> sending Success {
    isPresent = false
    let taken = unsafe result.take()!
    return try taken.get()
  }

  /// What was put; `nil` where nothing was.
  @usableFromInline
  mutating func takeIfPresent() throws(Failure) -> sending Success? {
    isPresent ? try take() : nil
  }
}
