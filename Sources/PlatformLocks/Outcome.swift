/// What a body returned or threw, on its way through a function that can carry neither a typed error nor a noncopyable
/// result, such as `DispatchQueue.sync`.
@usableFromInline
package struct Outcome<Success: ~Copyable, Failure: Error>: ~Copyable, @unchecked Sendable {
  // Sound, and `Sendable`: one thread puts and takes, and what it puts is `sending`: nobody else has it.
  @usableFromInline
  nonisolated(unsafe) var result: Result<Success, Failure>?

  @inlinable
  package init() {}

  @inlinable
  package mutating func put(_ result: consuming sending Result<Success, Failure>) {
    unsafe self.result = consume result
  }

  @inlinable
  package mutating func take() throws(Failure) -> sending Success {
    let taken = unsafe result.take()!
    return try taken.get()
  }
}
