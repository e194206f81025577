#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif
internal import Synchronization

/// Ctrl-C as a question: the first one only makes `hasHappened` true, so that what is finished can be
/// printed; the second one ends the program.
package enum Interruption {
  private static let wish = Atomic(false)

  /// Asks to be notified; from now on `hasHappened` may become true.
  package static func watch() {
    wish.store(false, ordering: .relaxed)
    // Made before a handler needs it: making a static value takes locks, which a handler must not.
    _ = hasHappened
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        Interruption.wish.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
  }

  package static var hasHappened: Bool { wish.load(ordering: .relaxed) }
}
