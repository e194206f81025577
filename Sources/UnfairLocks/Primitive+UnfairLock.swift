internal import LockSupport

// The traps of `UnfairLock` and of the types that contain one.

extension Primitive {
  /// Whether the primitive lets its caller hold the lock across an `await`.
  ///
  /// Properties do: a caller can pass the property as an `inout` argument to an async function. The
  /// other primitives hold the lock only while a synchronous closure runs.
  private var lendsToAsyncFunctions: Bool { kind == .atomicProperty || kind == .queueProperty }

  @inline(never)
  func trapRecursion() -> Never {
    if lendsToAsyncFunctions {
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
  func trapNotOwner() -> Never {
    if lendsToAsyncFunctions {
      misuse(
        self,
        "unlocked by a thread that does not hold it: an access was suspended at an await and resumed on another thread",
        "await before or after the access")
    }
    misuse(self, "unlocked by a thread that does not hold it", "unlock once, on the thread that locked")
  }
}
