#if DeadlockDetection
  public import LockSupport
#else
  internal import LockSupport
#endif

/// Names a lock type in the trap messages of code that several lock types share.
@usableFromInline
@frozen
package struct ReadWritePrimitive: Sendable {
  @usableFromInline
  let rawValue: UInt8

  @inlinable
  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  @inlinable
  static var compact: ReadWritePrimitive { ReadWritePrimitive(rawValue: 0) }
  @inlinable
  static var biased: ReadWritePrimitive { ReadWritePrimitive(rawValue: 1) }
  @inlinable
  static var spin: ReadWritePrimitive { ReadWritePrimitive(rawValue: 2) }

  @inlinable
  package static var protector: ReadWritePrimitive { ReadWritePrimitive(rawValue: 3) }

  /// The name of the type, and the kinds under which a profile of contention records the waits for it.
  private var description: (name: StaticString, readKind: WaitKind, writeKind: WaitKind) {
    switch rawValue {
    case 0: ("CompactReadWriteLock", .compactRead, .compactWrite)
    case 1: ("BiasedReadWriteLock", .biasedRead, .biasedWrite)
    case 2: ("SpinReadWriteLock", .spinRead, .spinWrite)
    default: ("Protector", .protectorRead, .protectorWrite)
    }
  }

  var name: StaticString { description.name }
  var readKind: WaitKind { description.readKind }
  var writeKind: WaitKind { description.writeKind }

  #if DeadlockDetection
    @usableFromInline
    var lockKind: LockKind { [.compact, .biased, .spin, .protector][Int(rawValue)] }
  #endif

  @inline(never)
  func trapWriteInRead() -> Never {
    misuse(
      "\(name)", "locked for writing by a thread that is in a read section of it",
      "leave the read section first, or take the write lock from the start")
  }

  @inline(never)
  func trapReadInWrite() -> Never {
    misuse(
      "\(name)", "locked for reading by the thread that holds it for writing",
      "use what the write section gives access to")
  }

  @inline(never)
  func trapWriteInWrite() -> Never {
    misuse(
      "\(name)", "locked for writing by the thread that already holds it for writing",
      "take it once, and call what needs it from outside the section")
  }

  @inline(never)
  func trapTooManyReaders() -> Never {
    misuse(
      "\(name)", "more than 67 million readers at once", "leave read sections before entering new ones")
  }

  @usableFromInline
  @inline(never)
  func trapDestroyed() -> Never {
    misuse(
      "\(name)", "destroyed while a thread holds it", "keep the lock alive until every section has ended")
  }
}
