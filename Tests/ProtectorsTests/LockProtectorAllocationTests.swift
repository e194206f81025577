#if os(Linux)
  import Protectors
  import ReadWriteLocks
  import TestSupport
  import Testing
  import UnfairLocks

  /// A protector is one allocation: it takes no more memory than an object with the same lock and value
  /// and a queue inline.
  ///
  /// The memory is measured in a process of its own, where no other test allocates.
  @Suite(.enabled(if: !Sanitizer.isActive, "the sanitizer has an allocator of its own"))
  struct LockProtectorAllocationTests {
    @Test func aProtectorIsOneAllocation() async {
      await #expect(processExitsWith: .success) {
        let inline = memory { Inline(1, lock: BiasedReadWriteLock()) }
        let protector = memory { Protector(1) }
        Swift.precondition(isAlike(protector, inline), "\(protector) bytes against \(inline)")
      }
    }

    @Test func anExclusiveProtectorIsOneAllocation() async {
      await #expect(processExitsWith: .success) {
        let inline = memory { Inline((1, 2, 3, 4), lock: UnfairLock()) }
        let protector = memory { ExclusiveProtector((1, 2, 3, 4)) }
        Swift.precondition(isAlike(protector, inline), "\(protector) bytes against \(inline)")
      }
    }

    /// The measurement tells two allocations from one.
    @Test func aSecondAllocationIsNoticed() async {
      await #expect(processExitsWith: .success) {
        final class Indirect {
          let inline = Inline(1, lock: BiasedReadWriteLock())
        }
        let inline = memory { Inline(1, lock: BiasedReadWriteLock()) }
        let indirect = memory { Indirect() }
        Swift.precondition(!isAlike(indirect, inline), "\(indirect) bytes against \(inline)")
      }
    }
  }

  /// What a protector is, without being one.
  private final class Inline<Value, Lock: ReadWriteLock & ~Copyable> {
    let lock: Lock
    /// Where the protector has the threads that wait.
    let waiters = (UnsafeRawPointer(bitPattern: 0), UInt32(0), UInt32(0))
    let adaptiveSpin = UInt32(0)
    var value: Value

    init(_ value: Value, lock: consuming Lock) {
      self.lock = lock
      self.value = value
    }
  }

  /// What was measured, so that what is measured next does not take its place.
  private let keptAlive = Unguarded<[[AnyObject]]>([])

  /// The resident memory that an object takes, in bytes, measured over many that are alive together.
  private func memory(_ make: () -> some AnyObject) -> Double {
    let count = 200_000
    var objects: [AnyObject] = []
    objects.reserveCapacity(count)
    // The array's own pages become resident when they are written.
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

  /// Whether two sizes differ by less than the smallest block that the allocator has.
  private func isAlike(_ size: Double, _ other: Double) -> Bool {
    abs(size - other) < 8
  }
#endif
