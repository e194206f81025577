/// A lock whose code is called, as that of a C library is, and not inlined.
///
/// It makes a lock of this package comparable with `pthread_mutex` and its like, which nobody can inline.
struct Called<Subject: GuardedInteger & ~Copyable>: GuardedInteger, ~Copyable {
  private let subject: Subject

  init(_ subject: consuming Subject) {
    self.subject = subject
  }

  @inline(never)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    subject.read(integer, body)
  }

  @inline(never)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    subject.write(integer, body)
  }
}
