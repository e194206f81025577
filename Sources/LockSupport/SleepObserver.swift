#if DeadlockDetection
  /// An object that runs each sleep on a `LockWord`.
  ///
  /// The deadlock detector is such an object. This protocol lets `LockWord` call the detector, whose module
  /// imports this one.
  package protocol SleepObserver: AnyObject, Sendable {
    /// Runs `sleep` until `deadline`, and returns how the sleep ended.
    ///
    /// It may first run `sleep` with an earlier deadline, for example to report a long wait.
    func whileAsleep(
      until deadline: Deadline, _ sleep: (Deadline) -> LockWord.WaitOutcome
    ) -> LockWord.WaitOutcome
  }

  /// The observer of the process.
  package enum SleepObservers {
    private final class Installed: Sendable {
      let observer: any SleepObserver
      init(_ observer: any SleepObserver) { self.observer = observer }
    }

    /// The address of an `Installed`, which is never freed; 0 before the first call of `install`.
    private static let address = AtomicWord()

    package static func install(_ observer: any SleepObserver) {
      let installed = unsafe Unmanaged.passRetained(Installed(observer)).toOpaque()
      address.store(UInt64(UInt(bitPattern: installed)), .releasing)
    }

    static func whileAsleep(
      until deadline: Deadline, _ sleep: (Deadline) -> LockWord.WaitOutcome
    ) -> LockWord.WaitOutcome {
      let address = UInt(truncatingIfNeeded: address.load(.acquiring))
      guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return sleep(deadline) }
      // Sound: `install` stored the address of an `Installed`, which is never freed.
      return unsafe Unmanaged<Installed>.fromOpaque(pointer).takeUnretainedValue().observer
        .whileAsleep(until: deadline, sleep)
    }
  }
#else
  /// Runs each sleep directly: builds without the trait `DeadlockDetection` have no `SleepObserver`.
  enum SleepObservers {
    @inline(__always)
    static func whileAsleep(
      until deadline: Deadline, _ sleep: (Deadline) -> LockWord.WaitOutcome
    ) -> LockWord.WaitOutcome { sleep(deadline) }
  }
#endif
