// The traps of exclusive locks and of the types that contain one, and one of all locks.

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var unfairLock: PrimitiveKind { PrimitiveKind("UnfairLock") }
}

extension Primitive {
  @usableFromInline
  @inline(never)
  package func trapDestroyed() -> Never {
    misuse(self, "destroyed while a thread holds it", "keep the lock alive until every section has ended")
  }

  @inline(never)
  package func trapRecursion() -> Never {
    if kind.has(.isLentToAsyncFunctions) {
      misuse(
        self,
        "accessed inside an access on the same thread, which may be that of a task suspended at an await",
        "use the value that is being changed, and await before or after the access")
    }
    misuse(
      self, "locked by the thread that already holds it",
      "take it once, and call what needs it from outside the section")
  }

  @inline(never)
  package func trapNotOwner() -> Never {
    if kind.has(.isLentToAsyncFunctions) {
      misuse(
        self,
        "unlocked by a thread that does not hold it: an access was suspended at an await and resumed on another thread",
        "await before or after the access")
    }
    misuse(self, "unlocked by a thread that does not hold it", "unlock once, on the thread that locked")
  }
}
