#if !DeadlockDetection && !Exploration
  /// Identifies a primitive in traps, in reports of deadlocks and explorations, and in profiles of
  /// contention.
  ///
  /// It consists of the primitive's type. In builds with the trait `DeadlockDetection` or `Exploration`,
  /// `LabelledPrimitive.swift` replaces this file, and adds the label and the source line that makes the
  /// primitive.
  @frozen
  public struct Primitive: Sendable {
    @usableFromInline
    package let kind: PrimitiveKind

    /// Makes the identity of a primitive.
    ///
    /// - Parameters:
    ///   - kind: The primitive's type.
    ///   - label: The primitive's name in reports; without the tools' traits it costs nothing.
    ///   - file: The source file that makes the primitive, for reports.
    ///   - line: The source line that makes the primitive, for reports.
    @_alwaysEmitIntoClient
    @_transparent
    public init(
      _ kind: PrimitiveKind, _ label: StaticString = "", _ file: StaticString = "", _ line: UInt = 0
    ) {
      self.kind = kind
    }

    /// The primitive of the type `kind` that is a part of this primitive, or the whole of which this
    /// primitive is a part.
    @_alwaysEmitIntoClient
    @_transparent
    package func part(_ kind: PrimitiveKind) -> Primitive { Primitive(kind) }

    /// The name in traps.
    package var name: String { kind.name.text }

    /// Always `nil`: builds without the traits `DeadlockDetection` and `Exploration` record no label and no
    /// source line.
    package var origin: String? { nil }
  }
#endif
