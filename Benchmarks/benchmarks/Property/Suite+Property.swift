internal import AtomicProperties
internal import BenchmarkHarness

extension Suite {
  /// What a property costs against the stored field of a final class.
  static var property: Suite {
    Suite(
      name: "property",
      about: "one Float of a final class, read and written in many ways",
      reading:
        "Each access also moves the Float to or from memory, so that it can't be left out; the local variable"
        + " shows what that costs alone. What costs about as much as the stored field is as good as"
        + " free. Differences"
        + " between accesses below a nanosecond depend on the processor and on where the loop lies in"
        + " memory.",
      contests: [accesses(.read), accesses(.write), sums] + frameCounts.map(frames))
  }

  // MARK: One access

  private static func accesses(_ access: FloatAccess) -> Contest {
    Contest(
      group: "property", title: access.rawValue, metric: .cost, threads: 1, operationUnit: 100,
      reference: FieldName.stored,
      contestants: [
        LocalTrial().contestant(named: FieldName.local, access),
        PropertyTrial(StoredField()).contestant(named: FieldName.stored, access),
        PropertyTrial(ComputedField()).contestant(named: FieldName.computed, access),
        PropertyTrial(WrappedField()).contestant(named: FieldName.wrapper, access),
        PropertyTrial(TableField()).contestant(named: FieldName.open, access),
        PropertyTrial(CalledField()).contestant(named: FieldName.distant, access),
        PropertyTrial(GenericField()).contestant(named: FieldName.generic, access),
        PropertyTrial(ExistentialField()).contestant(named: FieldName.existential, access),
        PropertyTrial(ClosureField()).contestant(named: FieldName.closure, access),
        PropertyTrial(KeyPathField()).contestant(named: FieldName.keyPath, access),
        PropertyTrial(AtomicField()).contestant(named: FieldName.atomic, access),
        PropertyTrial(LockFreeField()).contestant(named: FieldName.lockFree, access),
        // It can't be written.
        access == .read ? PropertyTrial(LazyField()).reading(named: FieldName.lazy) : nil,
        PropertyTrial(AtomicProperty<Float>(0)).contestant(named: FieldName.property, access),
        PropertyTrial(UnfairLockField()).contestant(named: FieldName.unfair, access),
        PropertyTrial(ProtectorField()).contestant(named: FieldName.protector, access),
        PropertyTrial(MutexField()).contestant(named: FieldName.mutex, access),
        PropertyTrial(NSLockField()).contestant(named: FieldName.nsLock, access),
        PropertyTrial(QueueProperty<Float>(0)).contestant(named: FieldName.queueProperty, access),
        PropertyTrial(QueueField()).contestant(named: FieldName.queue, access),
      ].compactMap { $0 })
  }

  // MARK: Sums

  private static var sums: Contest {
    let trial = SumTrial()
    return Contest(
      group: "sum of \(SumTrial.length) numbers", title: "for each number", metric: .cost, threads: 1,
      operationUnit: SumTrial.length, reference: FieldName.stored,
      contestants: [
        trial.intoProperty(of: StoredField(), named: FieldName.stored),
        trial.intoProperty(of: TableField(), named: FieldName.open),
        trial.intoProperty(of: ProtectorField(), named: FieldName.protector),
        trial.intoLocal(named: FieldName.local),
        trial.vectorised(by: SIMD2<Float>.self, named: "SIMD2<Float>"),
        trial.vectorised(by: SIMD4<Float>.self, named: "SIMD4<Float>"),
        trial.vectorised(by: SIMD8<Float>.self, named: "SIMD8<Float>"),
      ])
  }

  // MARK: Frames

  /// How many accesses a frame has.
  private static let frameCounts = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]

  /// A program that does nothing but read a property so and so often for each frame.
  private static func frames(_ accesses: Int) -> Contest {
    let isLong = accesses >= 1_000_000
    let fields = [
      PropertyTrial(StoredField()).reading(named: FieldName.stored, accesses: accesses),
      PropertyTrial(TableField()).reading(named: FieldName.open, accesses: accesses),
      PropertyTrial(ExistentialField()).reading(named: FieldName.existential, accesses: accesses),
      PropertyTrial(KeyPathField()).reading(named: FieldName.keyPath, accesses: accesses),
      PropertyTrial(LockFreeField()).reading(named: FieldName.lockFree, accesses: accesses),
      PropertyTrial(ProtectorField()).reading(named: FieldName.protector, accesses: accesses),
      PropertyTrial(AtomicProperty<Float>(0)).reading(named: FieldName.property, accesses: accesses),
      PropertyTrial(MutexField()).reading(named: FieldName.mutex, accesses: accesses),
      PropertyTrial(NSLockField()).reading(named: FieldName.nsLock, accesses: accesses),
      // A frame of ten million would take seconds.
      accesses < 10_000_000
        ? PropertyTrial(QueueProperty<Float>(0)).reading(named: FieldName.queueProperty, accesses: accesses)
        : nil,
    ]
    return Contest(
      group: "frames per second", title: "\(accesses) reads", metric: .frames, threads: 1, operationUnit: 1,
      reference: FieldName.stored, contestants: fields.compactMap { $0 },
      parameter: Parameter("reads in a frame", Double(accesses)),
      leastEffort: accesses < 10_000_000 ? .quick : .standard,
      mostRounds: isLong ? 3 : nil)
  }
}
