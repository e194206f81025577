/// A guarded integer whose accessors are functions that are called, as they would be in a class of another module.
///
/// Reading without a lock, inlined into a loop, is an addition and no more; nobody would recognise a read in it. Behind a
/// call, what a lock adds to a read stands beside a read that has a cost.
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
