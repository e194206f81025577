internal import AtomicProperties
internal import BenchmarkHarness
internal import OtherModule
internal import Synchronization

/// The operation on a property that a contest measures.
enum Access: String, Sendable {
  case read, write
}

// MARK: One access

/// Measures how long it takes to read or write a property.
final class PropertyTrial<Holder: FloatReader>: Sendable {
  private let holder: Holder
  /// The memory that the loops copy values to or from.
  ///
  /// A relaxed atomic operation is a plain instruction that the optimizer does not remove. The fence after
  /// the operation keeps the access to the property in the loop, and emits nothing on x86-64.
  private let end = IsolatedBox(Atomic<UInt32>(0))

  init(_ holder: Holder) {
    self.holder = holder
  }

  /// Makes a contestant of which one operation reads the property `accesses` times.
  func reading(_ name: String, accesses: Int = 1) -> Contestant {
    Contestant(name: name) { _, count in
      Self.read(self.holder, self.end.pointer, count * accesses)
      return count
    }
  }

  // The measured loops are compiled separately for each type of holder, with the access inlined. The
  // functions that contain the loops are not inlined, so that they can be found in the machine code.

  @inline(never)
  private static func read(_ holder: Holder, _ sink: UnsafeMutablePointer<Atomic<UInt32>>, _ count: Int) {
    for _ in 0..<count {
      sink.pointee.store(holder.value.bitPattern, ordering: .relaxed)
      atomicMemoryFence(ordering: .acquiring)
    }
  }
}

extension PropertyTrial where Holder: FloatHolder {
  func contestant(_ name: String, _ access: Access) -> Contestant {
    switch access {
    case .read: reading(name)
    case .write:
      Contestant(name: name) { _, count in
        Self.write(self.holder, self.end.pointer, count)
        return count
      }
    }
  }

  @inline(never)
  private static func write(_ holder: Holder, _ source: UnsafeMutablePointer<Atomic<UInt32>>, _ count: Int) {
    for _ in 0..<count {
      holder.value = Float(bitPattern: source.pointee.load(ordering: .relaxed))
      atomicMemoryFence(ordering: .releasing)
    }
  }
}

/// Measures the loops of `PropertyTrial` with a local variable, to show what the loops themselves cost.
private enum LocalTrial {
  static func contestant(_ name: String, _ access: Access) -> Contestant {
    let end = IsolatedBox(Atomic<UInt32>(0))
    return switch access {
    case .read:
      Contestant(name: name) { _, count in
        read(Float(count), end.pointer, count)
        return count
      }
    case .write: Contestant(name: name) { _, count in Int(write(end.pointer, count)) }
    }
  }

  @inline(never)
  private static func read(_ value: Float, _ sink: UnsafeMutablePointer<Atomic<UInt32>>, _ count: Int) {
    for _ in 0..<count {
      sink.pointee.store(value.bitPattern, ordering: .relaxed)
      atomicMemoryFence(ordering: .acquiring)
    }
  }

  @inline(never)
  private static func write(_ source: UnsafeMutablePointer<Atomic<UInt32>>, _ count: Int) -> UInt32 {
    var value: Float = 0
    for _ in 0..<count {
      value = Float(bitPattern: source.pointee.load(ordering: .relaxed))
      atomicMemoryFence(ordering: .releasing)
    }
    return value.bitPattern
  }
}

// MARK: Loops over many numbers

/// Measures loops over numbers that use a local variable, a property or a SIMD vector.
///
/// The compiler vectorizes sums of integers and the scaling of Floats for a local variable and for a stored
/// field of a final class. It must not vectorize a sum of Floats: vectors add the numbers in another order,
/// which can change the rounded sum. Benchmarks/README.md names the vector instructions to look for.
private enum NumberLoops {
  /// The count of the numbers, which all fit in the first-level data cache.
  static let count = 4_096
  static let integers = (0..<count).map { Int32($0 % 7) }
  static let floats = (0..<count).map { Float($0 % 7) }

  /// Makes a contestant that loops over all `numbers`; `loop` returns a result that depends on each of them.
  static func contestant<Number: Sendable>(
    _ name: String, _ numbers: [Number], _ loop: @escaping @Sendable ([Number]) -> Int
  ) -> Contestant {
    Contestant(name: name) { _, count in
      var total = 0
      for _ in 0..<(count / Self.count) { total &+= loop(numbers) }
      return total
    }
  }

  static func integerSum(_ name: String, into holder: some IntegerHolder) -> Contestant {
    contestant(name, integers) { numbers in
      sum(numbers, into: holder)
      return Int(holder.value)
    }
  }

  static func floatSum(_ name: String, into holder: some FloatHolder) -> Contestant {
    contestant(name, floats) { numbers in
      sum(numbers, into: holder)
      return Int(holder.value.bitPattern)
    }
  }

  static func vectorSum<Vector: SIMD>(_ name: String, _ type: Vector.Type) -> Contestant
  where Vector.Scalar == Float, Vector: Sendable {
    contestant(name, floats) { Int(sum($0, type).bitPattern) }
  }

  /// Makes a contestant that multiplies all numbers by a property, or by a local copy of it.
  static func scaling(_ name: String, by holder: some FloatHolder, copies: Bool = false) -> Contestant {
    // The factor 1 leaves the numbers unchanged, so that none becomes 0 or infinite.
    holder.value = 1
    // `nonisolated(unsafe)` is sound: one thread at a time uses the numbers, which are never deallocated.
    nonisolated(unsafe) let numbers = UnsafeMutableBufferPointer<Float>.allocate(capacity: count)
    numbers.initialize(repeating: Float(CommandLine.arguments.count))
    return contestant(name, [Float]()) { _ in
      if copies { scale(numbers, byCopyOf: holder) } else { scale(numbers, by: holder) }
      return Int(numbers[0])
    }
  }

  @inline(never)
  static func sum(_ numbers: [Int32]) -> Int32 {
    var sum: Int32 = 0
    for number in numbers { sum &+= number }
    return sum
  }

  @inline(never)
  private static func sum(_ numbers: [Int32], into holder: some IntegerHolder) {
    holder.value = 0
    for number in numbers { holder.value &+= number }
  }

  @inline(never)
  static func sum(_ numbers: [Float]) -> Float {
    var sum: Float = 0
    for number in numbers { sum += number }
    return sum
  }

  @inline(never)
  private static func sum(_ numbers: [Float], into holder: some FloatHolder) {
    holder.value = 0
    for number in numbers { holder.value += number }
  }

  @inline(never)
  @_specialize(where Vector == SIMD2<Float>)
  @_specialize(where Vector == SIMD4<Float>)
  @_specialize(where Vector == SIMD8<Float>)
  private static func sum<Vector: SIMD>(_ numbers: [Float], _ type: Vector.Type) -> Float
  where Vector.Scalar == Float {
    numbers.withUnsafeBytes { bytes in
      var sum = Vector()
      for vector in bytes.bindMemory(to: Vector.self) { sum += vector }
      return sum.indices.reduce(0) { $0 + sum[$1] }
    }
  }

  @inline(never)
  private static func scale(_ numbers: UnsafeMutableBufferPointer<Float>, by holder: some FloatHolder) {
    for index in numbers.indices { numbers[index] *= holder.value }
  }

  @inline(never)
  private static func scale(_ numbers: UnsafeMutableBufferPointer<Float>, byCopyOf holder: some FloatHolder) {
    let factor = holder.value
    for index in numbers.indices { numbers[index] *= factor }
  }
}

// MARK: The suite

extension Category {
  static let field = Category(
    "direct", "the compiler reaches the field at once, and no exclusivity check is left in the loop")
  static let dispatch = Category(
    "dispatch", "the way to the field alone; the exclusivity check is off, with @exclusivity(unchecked)")
  static let dispatchAndCheck = Category(
    "dispatch + check", "the same as Swift compiles it, with its exclusivity check at run time")
  static let atomic = Category("atomic", "no lock; an unchecked field")
  static let lock = Category("lock", "a lock around an unchecked field")
  static let queue = Category("queue", "a dispatch queue around an unchecked field")
  static let vector = Category("by hand", "SIMD vectors, several numbers at a time")
}

extension Suite {
  /// Compares properties with the stored field of a final class.
  static var property: Suite {
    Suite(
      name: "property",
      about: "one Float of a final class, read and written in many ways",
      reading:
        "Each access also moves the Float to or from memory, so that it can't be left out; the local variable"
        + " shows what that costs alone. What costs about as much as the stored field is as good as free."
        + " Dispatch is the way to a field that the compiler can't take at once: a class's table, a"
        + " protocol's table, a call, a closure, a key path. Where the compiler doesn't see all accesses, Swift checks"
        + " at run time that no other access to the same field overlaps (the exclusivity check). Rows of"
        + " dispatch + check are what such code costs as it is; those of dispatch have the check off, with"
        + " @exclusivity(unchecked), and the difference is the check. A key path is checked by the standard"
        + " library, whatever its field says. Fields behind atomics, locks and queues are unchecked, so"
        + " compare a lock with dispatch alone. In the loops over many numbers the compiler takes several at"
        + " a time (it vectorizes) where it may: integers that are summed up and Floats that are scaled, with"
        + " a local variable or a stored field, and never through dispatch or a lock; a sum of Floats depends"
        + " on the order and stays as it is. Differences between accesses below a nanosecond depend on the"
        + " processor and on where the loop lies in memory.",
      contests: [accesses(.read), accesses(.write)] + loops
        + [1_000, 10_000, 100_000, 1_000_000, 10_000_000].map(frames))
  }

  private static func accesses(_ access: Access) -> Contest {
    func row(_ category: Category, _ name: String, _ holder: some FloatHolder) -> Contestant {
      PropertyTrial(holder).contestant(name, access).listed(under: category)
    }
    // A `Lazy` can't be written.
    let lazy = [PropertyTrial(LazyField()).reading("Lazy").listed(under: .atomic)]
    return Contest(
      group: "property", title: access.rawValue, metric: .cost, operationUnit: 100, reference: "stored field",
      contestants: [
        LocalTrial.contestant("local variable", access).listed(under: .field),
        row(.field, "stored field", StoredField()),
        row(.field, "final getter and setter", ComputedField()),
        row(.field, "property wrapper", WrappedField()),
        row(.dispatch, "class table, unchecked", UncheckedOpenField()),
        row(.dispatch, "protocol, any, unchecked", ExistentialField(makeUncheckedFloatProperty())),
        row(.dispatch, "protocol, generic, unchecked", GenericField(makeUncheckedFloatProperty())),
        row(.dispatch, "closure, unchecked", ClosureField(ClosureField.makeUncheckedAccessors())),
        // The stored field of `DistantField` is private. The compiler therefore sees that its accesses can't
        // overlap, and leaves out the exclusivity check without an attribute.
        row(.dispatch, "in another module, called", DistantField()),
        row(.dispatchAndCheck, "class table", OpenField()),
        row(.dispatchAndCheck, "protocol, any", ExistentialField(makeFloatProperty())),
        row(.dispatchAndCheck, "protocol, generic", GenericField(makeFloatProperty())),
        row(.dispatchAndCheck, "closure", ClosureField(ClosureField.makeAccessors())),
        row(.dispatchAndCheck, "key path", KeyPathField()),
        row(.atomic, "Synchronization.Atomic", AtomicField()),
        row(.atomic, "LockFreeProperty", LockFreeField()),
      ] + (access == .read ? lazy : []) + [
        row(.lock, "AtomicProperty", AtomicProperty<Float>(0)),
        row(.lock, "behind UnfairLock", UnfairLockField()),
        row(.lock, "Protector", ProtectorField()),
        row(.lock, "Synchronization.Mutex", MutexField()),
        row(.lock, "NSLock", NSLockField()),
        row(.queue, "QueueProperty", QueueProperty<Float>(0)),
        row(.queue, "DispatchQueue.sync", QueueField()),
      ])
  }

  private static var loops: [Contest] {
    typealias Loops = NumberLoops
    return [
      loop(
        "sum of integers",
        [
          (.field, Loops.contestant("local variable", Loops.integers) { Int(Loops.sum($0)) }),
          (.field, Loops.integerSum("stored field", into: StoredInteger())),
          (.dispatch, Loops.integerSum("class table, unchecked", into: UncheckedOpenInteger())),
          (.dispatchAndCheck, Loops.integerSum("class table", into: OpenInteger())),
          (.lock, Loops.integerSum("Protector", into: ProtectorInteger())),
        ]),
      loop(
        "scaling of Floats",
        [
          (.field, Loops.scaling("local variable", by: StoredField(), copies: true)),
          (.field, Loops.scaling("stored field", by: StoredField())),
          (.dispatch, Loops.scaling("class table, unchecked", by: UncheckedOpenField())),
          (.dispatchAndCheck, Loops.scaling("class table", by: OpenField())),
          (.lock, Loops.scaling("Protector", by: ProtectorField())),
        ]),
      loop(
        "sum of Floats",
        [
          (.field, Loops.contestant("local variable", Loops.floats) { Int(Loops.sum($0).bitPattern) }),
          (.field, Loops.floatSum("stored field", into: StoredField())),
          (.dispatch, Loops.floatSum("class table, unchecked", into: UncheckedOpenField())),
          (.dispatchAndCheck, Loops.floatSum("class table", into: OpenField())),
          (.lock, Loops.floatSum("Protector", into: ProtectorField())),
          (.vector, Loops.vectorSum("SIMD2<Float>", SIMD2<Float>.self)),
          (.vector, Loops.vectorSum("SIMD4<Float>", SIMD4<Float>.self)),
          (.vector, Loops.vectorSum("SIMD8<Float>", SIMD8<Float>.self)),
        ]),
    ]
  }

  private static func loop(_ title: String, _ rows: [(Category, Contestant)]) -> Contest {
    Contest(
      group: "loops over \(NumberLoops.count) numbers", title: title, metric: .cost,
      operationUnit: NumberLoops.count, reference: "stored field",
      contestants: rows.map { $1.listed(under: $0) })
  }

  /// Measures the frame rate of a program that reads a property `accesses` times in each frame.
  private static func frames(_ accesses: Int) -> Contest {
    func row(_ category: Category, _ name: String, _ holder: some FloatReader) -> Contestant {
      PropertyTrial(holder).reading(name, accesses: accesses).listed(under: category)
    }
    // With a queue, a frame of ten million accesses would take seconds, so it is not measured.
    let queue = [row(.queue, "QueueProperty", QueueProperty<Float>(0))]
    return Contest(
      group: "frames per second", title: "\(accesses) reads", metric: .frames, operationUnit: 1,
      reference: "stored field",
      contestants: [
        row(.field, "stored field", StoredField()),
        row(.dispatch, "class table, unchecked", UncheckedOpenField()),
        row(.dispatch, "protocol, any, unchecked", ExistentialField(makeUncheckedFloatProperty())),
        row(.dispatchAndCheck, "class table", OpenField()),
        row(.dispatchAndCheck, "protocol, any", ExistentialField(makeFloatProperty())),
        row(.dispatchAndCheck, "key path", KeyPathField()),
        row(.atomic, "LockFreeProperty", LockFreeField()),
        row(.lock, "Protector", ProtectorField()),
        row(.lock, "AtomicProperty", AtomicProperty<Float>(0)),
        row(.lock, "Synchronization.Mutex", MutexField()),
        row(.lock, "NSLock", NSLockField()),
      ] + (accesses < 10_000_000 ? queue : []),
      parameter: ("reads in a frame", Double(accesses)),
      leastEffort: accesses < 10_000_000 ? .quick : .full, mostRounds: accesses >= 1_000_000 ? 3 : nil)
  }
}
