/// A lock and the integer that it guards, side by side as in a class that contains both.
struct LockedInteger<Subject: GuardedInteger & ~Copyable>: ~Copyable, Sendable {
  let subject: Subject
  private var integer = 0

  init(subject: consuming Subject) {
    self.subject = subject
  }

  /// The address of the integer in the value at `place`, valid until that value is moved or deinitialised.
  static func integer(in place: UnsafeMutablePointer<LockedInteger>) -> UnsafeMutablePointer<Int> {
    withUnsafeMutablePointer(to: &place.pointee.integer) { $0 }
  }
}
