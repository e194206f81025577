/// A lock with its integer beside it, as in a class that has both for fields.
struct LockedInteger<Subject: GuardedInteger & ~Copyable>: ~Copyable, Sendable {
  let subject: Subject
  private var integer = 0

  init(subject: consuming Subject) {
    self.subject = subject
  }

  /// The address of the integer, for as long as the whole stays where it is.
  static func integer(in place: UnsafeMutablePointer<LockedInteger>) -> UnsafeMutablePointer<Int> {
    withUnsafeMutablePointer(to: &place.pointee.integer) { $0 }
  }
}
