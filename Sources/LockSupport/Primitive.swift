#if !DeadlockDetection && !Exploration
  /// The identity of a primitive, which traps, reports of deadlocks and explorations, and profiles of contention
  /// name.
  ///
  /// It is the primitive's type. With the trait `DeadlockDetection` or `Exploration`, which
  /// `LabelledPrimitive.swift` is for, it also has the label, and the line of source that makes the primitive.
  @usableFromInline
  @frozen
  package struct Primitive: Sendable, Hashable {
    @usableFromInline
    package let kind: PrimitiveKind

    @_alwaysEmitIntoClient
    @_transparent
    package init(
      _ kind: PrimitiveKind, _ label: StaticString = "", _ file: StaticString = "", _ line: UInt = 0
    ) {
      self.kind = kind
    }

    /// Makes the identity again from its `word`.
    package init(word: UInt) {
      kind = PrimitiveKind(rawValue: UInt8(word))!
    }

    /// The identity as an argument of a `SlowPath`.
    @_alwaysEmitIntoClient
    @_transparent
    package var word: UInt { UInt(kind.rawValue) }

    /// The identity of a part of the primitive.
    @_alwaysEmitIntoClient
    @_transparent
    package func part(_ kind: PrimitiveKind) -> Primitive { Primitive(kind) }

    /// The name in traps.
    package var name: String { kind.name }

    /// The label, and the line of source that makes the primitive; `nil` if they are not known.
    package var origin: String? { nil }
  }
#endif
