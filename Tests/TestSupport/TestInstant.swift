/// A moment of a clock that a test moves on.
package struct TestInstant: InstantProtocol {
  /// The time since the clock's beginning.
  package var offset: Duration

  package init(offset: Duration = .zero) { self.offset = offset }

  package func advanced(by duration: Duration) -> TestInstant { TestInstant(offset: offset + duration) }
  package func duration(to other: TestInstant) -> Duration { other.offset - offset }
  package static func < (first: TestInstant, second: TestInstant) -> Bool { first.offset < second.offset }
}
