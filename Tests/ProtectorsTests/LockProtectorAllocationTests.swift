// With the trait `DeadlockDetection` a protector also contains a `Probe`, which `Inline` does not model.
#if os(Linux) && !DeadlockDetection
  import Protectors
  import ReadWriteLocks
  import TestSupport
  import Testing
  import UnfairLocks

  /// Tests that a protector is one allocation: it takes as much memory as an object that stores the same
  /// fields inline.
  ///
  /// Each test measures memory in a process of its own, where no other test allocates.
  @Suite(.enabled(if: !Sanitizer.isActive, "the sanitizer has an allocator of its own"))
  struct LockProtectorAllocationTests {
    @Test func aProtectorIsOneAllocation() async {
      await #expect(processExitsWith: .success) {
        final class Indirect {
          let inline = Inline(1, lock: BiasedReadWriteLock())
        }
        let inline = memory { Inline(1, lock: BiasedReadWriteLock()) }
        let protector = memory { Protector(1) }
        Swift.precondition(isAlike(protector, inline), "\(protector) bytes against \(inline)")
        // The measurement can tell two allocations from one.
        let indirect = memory { Indirect() }
        Swift.precondition(!isAlike(indirect, inline), "\(indirect) bytes against \(inline)")
      }
    }

    @Test func anExclusiveProtectorIsOneAllocation() async {
      await #expect(processExitsWith: .success) {
        let inline = memory { Inline((1, 2, 3, 4), lock: UnfairLock()) }
        let protector = memory { ExclusiveProtector((1, 2, 3, 4)) }
        Swift.precondition(isAlike(protector, inline), "\(protector) bytes against \(inline)")
      }
    }
  }

  /// An object whose inline fields have the same sizes as a protector's.
  private final class Inline<Value, Lock: Sendable & ~Copyable> {
    let lock: Lock
    /// Has the same size as `WaitQueue`, the protector's queue of waiting threads.
    let waiters = UnsafeRawPointer(bitPattern: 0)
    let adaptiveSpin = UInt32(0)
    var value: Value

    init(_ value: Value, lock: consuming Lock) {
      self.lock = lock
      self.value = value
    }
  }

  /// Measured objects, kept so that later measurements don't reuse their memory.
  private let keptAlive = Unguarded<[[AnyObject]]>([])

  /// The average resident memory of an object that `make` returns, in bytes.
  private func memory(_ make: () -> some AnyObject) -> Double {
    let count = 200_000
    var objects: [AnyObject] = []
    objects.reserveCapacity(count)
    // Writing placeholders makes the array's own pages resident before the measurement begins.
    let placeholder = make()
    for _ in 0..<count {
      objects.append(placeholder)
    }
    let before = ResidentMemory.bytes
    for index in 0..<count {
      objects[index] = make()
    }
    let bytes = ResidentMemory.bytes - before
    keptAlive.value.append(objects)
    return Double(bytes) / Double(count)
  }

  /// Whether two sizes differ by less than 8 bytes, as errors of measurement do.
  ///
  /// A further allocation would add 8 bytes or more.
  private func isAlike(_ size: Double, _ other: Double) -> Bool {
    abs(size - other) < 8
  }
#endif
