public import InterlockCore

// The traps that several read/write locks share.

extension Primitive {
  @inline(never)
  func trapWriteInRead() -> Never {
    misuse(
      self, "locked for writing by a thread that is in a read section of it",
      "leave the read section first, or take the write lock from the start")
  }

  @inline(never)
  func trapReadInWrite() -> Never {
    misuse(
      self, "locked for reading by the thread that holds it for writing",
      "use what the write section gives access to")
  }

  @inline(never)
  func trapWriteInWrite() -> Never {
    misuse(
      self, "locked for writing by the thread that already holds it for writing",
      "take it once, and call what needs it from outside the section")
  }

  @inline(never)
  func trapTooManyReaders() -> Never {
    misuse(self, "more than 33 million readers at once", "leave read sections before entering new ones")
  }

  @usableFromInline
  @inline(never)
  func trapNotReadLocked() -> Never {
    misuse(self, "unlocked after reading while no thread reads", "unlock as often as you locked")
  }

  @usableFromInline
  @inline(never)
  func trapNotWriter() -> Never {
    misuse(
      self, "unlocked after writing by a thread that does not hold it for writing",
      "unlock once, on the thread that locked")
  }
}
