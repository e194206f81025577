#if Exploration && !DeadlockDetection && !ShippedLayout

  /// Passes the acquisitions and releases of a primitive to the explorer, which names the primitive in its
  /// reports.
  ///
  /// `Probe.swift` documents when a primitive must call which function.
  public struct Probe: Sendable {
    private let lock: ExploredLock

    /// Makes the connection of `primitive` to the explorer.
    public init(_ primitive: Primitive) { lock = ExploredLock(primitive) }

    @usableFromInline
    package borrowing func primitive(_ kind: PrimitiveKind) -> Primitive { lock.primitive }

    @usableFromInline
    package borrowing func willAcquire(_ mode: LockMode = .write) { note(.willAcquire(mode)) }

    @usableFromInline
    package borrowing func didAcquire() { note(.didAcquire(nil)) }

    @usableFromInline
    package borrowing func didAcquireUnannounced(_ mode: LockMode = .write) { note(.didAcquire(mode)) }

    @usableFromInline
    package borrowing func willRelease() { note(.releases) }

    @usableFromInline
    package borrowing func didStopWaiting() { note(.releases) }

    @usableFromInline
    package borrowing func taskWillAcquire() { note(.willAcquire(.write)) }

    @usableFromInline
    package borrowing func taskDidAcquire() { note(.didAcquire(.write)) }

    @usableFromInline
    package borrowing func taskWillRelease() { note(.releases) }

    private func note(_ event: ExploredLock.Event) { ExploredThreads.current?.note(event, lock) }
  }
#endif
