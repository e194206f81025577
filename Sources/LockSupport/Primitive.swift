#if !DeadlockDetection && !Exploration
  /// Identifies a primitive in traps, in reports of deadlocks and explorations, and in profiles of
  /// contention.
  ///
  /// It consists of the primitive's type. In builds with the trait `DeadlockDetection` or `Exploration`,
  /// `LabelledPrimitive.swift` replaces this file, and adds the label and the source line that makes the
  /// primitive.
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

    /// Restores a primitive from its `word`; traps if no primitive has that word.
    package init(word: UInt) {
      kind = PrimitiveKind(rawValue: UInt8(word))!
    }

    /// The primitive as a word, which a fast path can pass to a `SlowPath`.
    @_alwaysEmitIntoClient
    @_transparent
    package var word: UInt { UInt(kind.rawValue) }

    /// The primitive of the type `kind` that is a part of this primitive, or the whole of which this
    /// primitive is a part.
    @_alwaysEmitIntoClient
    @_transparent
    package func part(_ kind: PrimitiveKind) -> Primitive { Primitive(kind) }

    /// The name in traps.
    package var name: String { kind.name }

    /// Always `nil`: builds without the traits `DeadlockDetection` and `Exploration` record no label and no
    /// source line.
    package var origin: String? { nil }
  }
#endif
