internal import AtomicProperties
internal import BenchmarkHarness
internal import OtherModule

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
        + " a time (it vectorises) where it may: integers that are summed up and Floats that are scaled, with"
        + " a local variable or a stored field, and never through dispatch or a lock; a sum of Floats depends"
        + " on the order and stays as it is. Differences between accesses below a nanosecond depend on the"
        + " processor and on where the loop lies in memory.",
      contests: [accesses(.read), accesses(.write)] + loops + frameCounts.map(frames))
  }

  // MARK: One access

  private static func accesses(_ access: FloatAccess) -> Contest {
    Contest(
      group: "property", title: access.rawValue, metric: .cost, threads: 1, operationUnit: 100,
      reference: FieldName.stored,
      contestants: listed([
        (
          .field,
          [
            LocalTrial().contestant(named: FieldName.local, access),
            PropertyTrial(StoredField()).contestant(named: FieldName.stored, access),
            PropertyTrial(ComputedField()).contestant(named: FieldName.computed, access),
            PropertyTrial(WrappedField()).contestant(named: FieldName.wrapper, access),
          ]
        ),
        (
          .dispatch,
          [
            PropertyTrial(UncheckedTableField()).contestant(
              named: FieldName.unchecked(FieldName.open), access),
            PropertyTrial(ExistentialField(makeUncheckedFloatProperty())).contestant(
              named: FieldName.unchecked(FieldName.existential), access),
            PropertyTrial(GenericField(makeUncheckedFloatProperty())).contestant(
              named: FieldName.unchecked(FieldName.generic), access),
            PropertyTrial(ClosureField(ClosureField.makeUncheckedAccessors())).contestant(
              named: FieldName.unchecked(FieldName.closure), access),
            // The stored field of `DistantField` is private. The compiler therefore sees that its accesses
            // can't overlap, and leaves out the exclusivity check without an attribute.
            PropertyTrial(CalledField()).contestant(named: FieldName.distant, access),
          ]
        ),
        (
          .dispatchAndCheck,
          [
            PropertyTrial(TableField()).contestant(named: FieldName.open, access),
            PropertyTrial(ExistentialField(makeFloatProperty())).contestant(
              named: FieldName.existential, access),
            PropertyTrial(GenericField(makeFloatProperty())).contestant(named: FieldName.generic, access),
            PropertyTrial(ClosureField(ClosureField.makeAccessors())).contestant(
              named: FieldName.closure, access),
            PropertyTrial(KeyPathField()).contestant(named: FieldName.keyPath, access),
          ]
        ),
        (
          .atomic,
          [
            PropertyTrial(AtomicField()).contestant(named: FieldName.atomic, access),
            PropertyTrial(LockFreeField()).contestant(named: FieldName.lockFree, access),
            // A `Lazy` can't be written, so it takes part in reading only.
            access == .read ? PropertyTrial(LazyField()).reading(named: FieldName.lazy) : nil,
          ]
        ),
        (
          .lock,
          [
            PropertyTrial(AtomicProperty<Float>(0)).contestant(named: FieldName.property, access),
            PropertyTrial(UnfairLockField()).contestant(named: FieldName.unfair, access),
            PropertyTrial(ProtectorField()).contestant(named: FieldName.protector, access),
            PropertyTrial(MutexField()).contestant(named: FieldName.mutex, access),
            PropertyTrial(NSLockField()).contestant(named: FieldName.nsLock, access),
          ]
        ),
        (
          .queue,
          [
            PropertyTrial(QueueProperty<Float>(0)).contestant(named: FieldName.queueProperty, access),
            PropertyTrial(QueueField()).contestant(named: FieldName.queue, access),
          ]
        ),
      ]))
  }

  /// Assigns each `Contestant` its category, and returns all contestants in one list, without those that are
  /// `nil`.
  private static func listed(_ contestants: [(Category, [Contestant?])]) -> [Contestant] {
    contestants.flatMap { category, members in members.compactMap { $0?.listed(under: category) } }
  }

  // MARK: Loops over many numbers

  /// Compares loops that use a property with the same loops using a local variable.
  private static var loops: [Contest] {
    [
      loop(
        "sum of integers",
        [
          (
            .field,
            [
              IntegerSum.local(named: FieldName.local),
              IntegerSum.property(StoredInteger(), named: FieldName.stored),
            ]
          ),
          (
            .dispatch,
            [IntegerSum.property(UncheckedTableInteger(), named: FieldName.unchecked(FieldName.open))]
          ),
          (.dispatchAndCheck, [IntegerSum.property(TableInteger(), named: FieldName.open)]),
          (.lock, [IntegerSum.property(ProtectorInteger(), named: FieldName.protector)]),
        ]),
      loop(
        "scaling of Floats",
        [
          (
            .field,
            [
              ScalingTrial(StoredField()).byLocal(named: FieldName.local),
              ScalingTrial(StoredField()).byProperty(named: FieldName.stored),
            ]
          ),
          (
            .dispatch,
            [ScalingTrial(UncheckedTableField()).byProperty(named: FieldName.unchecked(FieldName.open))]
          ),
          (.dispatchAndCheck, [ScalingTrial(TableField()).byProperty(named: FieldName.open)]),
          (.lock, [ScalingTrial(ProtectorField()).byProperty(named: FieldName.protector)]),
        ]),
      floatSums,
    ]
  }

  private static func loop(_ title: String, _ contestants: [(Category, [Contestant])]) -> Contest {
    Contest(
      group: "loops over \(Numbers.count) numbers", title: title, metric: .cost, threads: 1,
      operationUnit: Numbers.count, reference: FieldName.stored, contestants: listed(contestants))
  }

  private static var floatSums: Contest {
    let trial = SumTrial()
    return loop(
      "sum of Floats",
      [
        (
          .field,
          [
            trial.intoLocal(named: FieldName.local),
            trial.intoProperty(of: StoredField(), named: FieldName.stored),
          ]
        ),
        (
          .dispatch,
          [trial.intoProperty(of: UncheckedTableField(), named: FieldName.unchecked(FieldName.open))]
        ),
        (.dispatchAndCheck, [trial.intoProperty(of: TableField(), named: FieldName.open)]),
        (.lock, [trial.intoProperty(of: ProtectorField(), named: FieldName.protector)]),
        (
          .vector,
          [
            trial.vectorised(by: SIMD2<Float>.self, named: "SIMD2<Float>"),
            trial.vectorised(by: SIMD4<Float>.self, named: "SIMD4<Float>"),
            trial.vectorised(by: SIMD8<Float>.self, named: "SIMD8<Float>"),
          ]
        ),
      ])
  }

  // MARK: Frames

  /// The numbers of accesses in a display frame; each number has a column of its own in the results.
  private static let frameCounts = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]

  /// Measures the frame rate of a program that reads a property `accesses` times in each frame.
  private static func frames(_ accesses: Int) -> Contest {
    let isLong = accesses >= 1_000_000
    func reading(_ name: String, _ holder: some FloatReader) -> Contestant {
      PropertyTrial(holder).reading(named: name, accesses: accesses)
    }
    let fields = listed([
      (.field, [reading(FieldName.stored, StoredField())]),
      (
        .dispatch,
        [
          reading(FieldName.unchecked(FieldName.open), UncheckedTableField()),
          reading(
            FieldName.unchecked(FieldName.existential), ExistentialField(makeUncheckedFloatProperty())),
        ]
      ),
      (
        .dispatchAndCheck,
        [
          reading(FieldName.open, TableField()),
          reading(FieldName.existential, ExistentialField(makeFloatProperty())),
          reading(FieldName.keyPath, KeyPathField()),
        ]
      ),
      (.atomic, [reading(FieldName.lockFree, LockFreeField())]),
      (
        .lock,
        [
          reading(FieldName.protector, ProtectorField()),
          reading(FieldName.property, AtomicProperty<Float>(0)),
          reading(FieldName.mutex, MutexField()), reading(FieldName.nsLock, NSLockField()),
        ]
      ),
      (
        .queue,
        // With a queue, a frame of ten million accesses would take seconds, so it is not measured.
        [accesses < 10_000_000 ? reading(FieldName.queueProperty, QueueProperty<Float>(0)) : nil]
      ),
    ])
    return Contest(
      group: "frames per second", title: "\(accesses) reads", metric: .frames, threads: 1, operationUnit: 1,
      reference: FieldName.stored, contestants: fields,
      parameter: Parameter("reads in a frame", Double(accesses)),
      leastEffort: accesses < 10_000_000 ? .quick : .full,
      mostRounds: isLong ? 3 : nil)
  }
}
