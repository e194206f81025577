#if DeadlockDetection
  internal import InterlockCore

  /// Identifies a lock as long as the process runs, even after the lock is deallocated, or a class of locks.
  ///
  /// The upper bits are the index of the lock's class, the lower bits a serial number, which is 0 for the class.
  struct LockID: Hashable, Sendable {
    let bits: UInt64

    /// The number of bits below the class index.
    ///
    /// The two lowest bits of an ID are always 0; `ThreadLocks` stores flags in them.
    static let serialBits: UInt64 = 42

    init(bits: UInt64) { self.bits = bits & ~3 }

    init(classIndex: Int, serial: UInt64) {
      bits = UInt64(classIndex) << Self.serialBits | (serial << 2) % (1 << Self.serialBits)
    }

    var classIndex: Int { Int(bits >> Self.serialBits) }
    var serial: UInt64 { (bits % (1 << Self.serialBits)) >> 2 }

    /// Whether this identifies a class of locks: all locks that one source line makes.
    var isOfClass: Bool { serial == 0 }

    /// The class of the lock, or of the class itself.
    var ofClass: LockID { LockID(classIndex: classIndex, serial: 0) }
  }

  extension Probe.Contents {
    var id: LockID { LockID(bits: number) }
  }

  extension Probe {
    /// Flag: the graph may have a node of the lock, which must be removed at the lock's end.
    static let isInGraph: UInt32 = 1
    /// Flag: a thread has acquired this read-write lock for writing.
    static let isWritten: UInt32 = 2
    /// Flag: several tasks may hold the lock at the same time.
    static let admitsSeveralTasks: UInt32 = 8
    /// Flag of a predicate: a write section that can make it true ran on a thread that held no other lock.
    static let hasFreeWriter: UInt32 = 4

    borrowing func has(_ flag: UInt32) -> Bool { contents.flags.loadRelaxed() & flag != 0 }

    /// Sets the flag, and returns the flags that were set before.
    @discardableResult
    borrowing func set(_ flag: UInt32) -> UInt32 { contents.flags.setBitsRelaxed(flag) }

    /// The address of `contents`, for the held locks of a thread.
    var address: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(contents).toOpaque()) }
  }
#endif
