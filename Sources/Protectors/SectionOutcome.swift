/// Carries what a section returned or threw out of a closure that supports neither typed errors nor
/// noncopyable results.
@usableFromInline
@frozen
struct SectionOutcome<Success: ~Copyable, Failure: Error>: ~Copyable, @unchecked Sendable {
  // `SectionOutcome` is `@unchecked Sendable`, which is sound: it is noncopyable and a local variable of one
  // call, whose closures run on the calling thread. The result is passed to `put` as `sending`, so no other
  // thread refers to it.
  private nonisolated(unsafe) var result: Result<Success, Failure>?

  /// Whether a result is stored.
  @usableFromInline
  private(set) var isPresent = false

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func put(_ result: consuming sending Result<Success, Failure>) {
    unsafe self.result = consume result
    isPresent = true
  }

  /// Removes and returns the stored result.
  ///
  /// Traps if there is none.
  @usableFromInline
  mutating func take() throws(Failure) -> sending Success {
    isPresent = false
    let taken = unsafe result.take()!
    return try taken.get()
  }

  /// Removes and returns the stored result; `nil` if there is none.
  @usableFromInline
  mutating func takeIfPresent() throws(Failure) -> sending Success? {
    isPresent ? try take() : nil
  }
}
