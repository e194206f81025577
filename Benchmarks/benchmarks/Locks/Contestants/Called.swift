/// An integer behind a lock whose code is called, like the code of a C library, instead of inlined.
///
/// The wrapper makes a lock of this package comparable with `pthread_mutex`, which can't be inlined.
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
