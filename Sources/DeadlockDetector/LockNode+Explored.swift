#if Exploration && !DeadlockDetection
  public import LockSupport

  /// Passes the acquisitions and releases of a primitive to the explorer, which names the primitive in its
  /// reports.
  ///
  /// `LockNode.swift` documents when a primitive must call which function.
  @usableFromInline
  package struct LockNode: ~Copyable, Sendable {
    private let lock: ExploredLock

    @usableFromInline
    package init(_ primitive: Primitive) { lock = ExploredLock(primitive) }

    @usableFromInline
    package borrowing func primitive(_ kind: PrimitiveKind) -> Primitive { lock.primitive }

    @usableFromInline
    package borrowing func willAcquire(_ mode: LockMode = .write) { note(.willAcquire(mode)) }

    @usableFromInline
    package borrowing func didAcquire() { note(.didAcquire(nil)) }

    @usableFromInline
    package borrowing func didAcquireWithoutWaiting(_ mode: LockMode = .write) { note(.didAcquire(mode)) }

    @usableFromInline
    package borrowing func didRelease() { note(.releases) }

    @usableFromInline
    package borrowing func taskWillAcquire() { note(.willAcquire(.write)) }

    @usableFromInline
    package borrowing func taskDidAcquire() { note(.didAcquire(.write)) }

    @usableFromInline
    package borrowing func taskWillRelease() { note(.releases) }

    private func note(_ event: ExploredLock.Event) { ExploredThreads.current?.note(event, lock) }
  }
#endif
