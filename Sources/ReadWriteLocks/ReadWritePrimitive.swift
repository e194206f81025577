internal import PlatformLocks

/// The read/write locks that share a core or a state: what their traps name.
@usableFromInline
enum ReadWritePrimitive: String {
  case compact = "CompactReadWriteLock"
  case biased = "BiasedReadWriteLock"
  case spin = "SpinReadWriteLock"

  @inline(never)
  func trapReadInWrite() -> Never {
    misuse(
      rawValue, "locked for reading by the thread that holds it for writing",
      "use what the write section gives access to")
  }

  @inline(never)
  func trapWriteInWrite() -> Never {
    misuse(
      rawValue, "locked for writing by the thread that already holds it for writing",
      "take it once, and call what needs it from outside the section")
  }

  @inline(never)
  func trapTooManyReaders() -> Never {
    misuse(
      rawValue, "more than 134 million readers at once", "leave read sections before entering new ones")
  }

  @usableFromInline
  @inline(never)
  func trapDestroyed() -> Never {
    misuse(
      rawValue, "destroyed while a thread holds it", "keep the lock alive until every section has ended")
  }
}
