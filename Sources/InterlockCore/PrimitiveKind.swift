/// The type of a primitive, as traps and reports name it, with what they have to know about it.
///
/// Each module that has a primitive declares its kinds in an extension.
@frozen
public struct PrimitiveKind: Sendable {
  @usableFromInline
  package let name: Name

  @usableFromInline
  package let traits: Traits

  /// Makes the kind of an exclusive lock.
  ///
  /// - Parameter name: The name of the lock's type.
  @_alwaysEmitIntoClient
  @_transparent
  public init(_ name: StaticString) {
    self.init(name, Traits(rawValue: 0))
  }

  @_alwaysEmitIntoClient
  @_transparent
  package init(_ name: StaticString, _ traits: Traits) {
    self.init(Name(name), traits)
  }

  @_alwaysEmitIntoClient
  @_transparent
  package init(_ name: Name, _ traits: Traits) {
    self.name = name
    self.traits = traits
  }

  /// The name of a type, in one word.
  // `@safe` and `@unchecked Sendable` are sound: the text is that of a literal, which never changes and is never freed.
  @safe
  @frozen
  @usableFromInline
  package struct Name: @unchecked Sendable {
    /// The first byte; a byte of 0 is behind the last one.
    @usableFromInline
    let start: UnsafePointer<UInt8>

    @_alwaysEmitIntoClient
    @_transparent
    package init(_ literal: StaticString) {
      unsafe start = literal.utf8Start
    }

    @_alwaysEmitIntoClient
    package var text: String { unsafe String(cString: start) }
  }

  /// What distinguishes primitives for the deadlock detector, the explorer's reports and the profile.
  ///
  /// It is no `OptionSet`, whose conformance takes 3 KB of each program, and whose literals take a quarter of a
  /// microsecond in unoptimized code, in each section.
  @frozen
  @usableFromInline
  package struct Traits: Sendable {
    @usableFromInline
    package let rawValue: UInt16

    @_alwaysEmitIntoClient
    @_transparent
    package init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// Both traits.
    @_alwaysEmitIntoClient
    @_transparent
    package static func | (first: Traits, second: Traits) -> Traits {
      Traits(rawValue: first.rawValue | second.rawValue)
    }

    /// Several threads can hold the primitive for reading at the same time.
    @_alwaysEmitIntoClient
    @_transparent
    package static var sharesReads: Traits { Traits(rawValue: 1 << 0) }
    /// A read section inside a read section of the same thread may wait for a writer.
    @_alwaysEmitIntoClient
    @_transparent
    package static var waitsInNestedRead: Traits { Traits(rawValue: 1 << 1) }
    /// A thread that holds the primitive for writing waits for itself when it acquires it again, instead of
    /// trapping or being admitted.
    @_alwaysEmitIntoClient
    @_transparent
    package static var waitsForItself: Traits { Traits(rawValue: 1 << 2) }
    /// Threads hold the primitive across an `await`: a caller can pass it as an `inout` argument to an
    /// asynchronous function.
    @_alwaysEmitIntoClient
    @_transparent
    package static var isLentToAsyncFunctions: Traits { Traits(rawValue: 1 << 3) }
    /// No lock, but a region of code that the detector treats as one.
    @_alwaysEmitIntoClient
    @_transparent
    package static var isRegion: Traits { Traits(rawValue: 1 << 4) }
    /// Threads wait until a value is initialized.
    @_alwaysEmitIntoClient
    @_transparent
    package static var isInitialization: Traits { Traits(rawValue: 1 << 5) }
    /// Threads wait until calls have ended that may call any code.
    @_alwaysEmitIntoClient
    @_transparent
    package static var isCompletion: Traits { Traits(rawValue: 1 << 6) }
    /// Threads wait until a predicate on a value holds.
    @_alwaysEmitIntoClient
    @_transparent
    package static var isPredicate: Traits { Traits(rawValue: 1 << 7) }
    /// Several tasks can hold a permit at the same time.
    @_alwaysEmitIntoClient
    @_transparent
    package static var grantsPermits: Traits { Traits(rawValue: 1 << 8) }
  }

  /// Whether the kind has one of `some`.
  @_alwaysEmitIntoClient
  package func has(_ some: Traits) -> Bool { traits.rawValue & some.rawValue != 0 }

  /// Whether threads enter primitives of this kind together, and one waits until the others have left.
  @_alwaysEmitIntoClient
  package var isRundown: Bool { has(.isCompletion) && has(.sharesReads) }

  /// Whether threads or tasks acquire and release primitives of this kind.
  @_alwaysEmitIntoClient
  package var isLock: Bool { !has(.isRegion | .isInitialization | .isCompletion | .isPredicate) }
}

extension PrimitiveKind: Equatable {
  // One literal can have several addresses, because each client has a copy.

  /// Whether the kinds have the same name and traits.
  @_alwaysEmitIntoClient
  public static func == (first: PrimitiveKind, second: PrimitiveKind) -> Bool {
    first.traits.rawValue == second.traits.rawValue && first.name.text == second.name.text
  }
}

/// How a thread acquires a primitive.
///
/// It is no enumeration, whose conformances take 3 KB of each program.
@usableFromInline
@frozen
package struct LockMode: Sendable, Equatable {
  @usableFromInline
  package let rawValue: UInt64

  @_alwaysEmitIntoClient
  @_transparent
  init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  @_alwaysEmitIntoClient
  @_transparent
  package static var read: LockMode { LockMode(rawValue: 0) }
  @_alwaysEmitIntoClient
  @_transparent
  package static var write: LockMode { LockMode(rawValue: 1) }
  /// Not modes of a lock: the deadlock detector uses them for write sections that can make a predicate true.
  ///
  /// `satisfyingAfterWaiting` is for a section that may itself have waited for a predicate.
  @_alwaysEmitIntoClient
  @_transparent
  package static var satisfying: LockMode { LockMode(rawValue: 2) }
  @_alwaysEmitIntoClient
  @_transparent
  package static var satisfyingAfterWaiting: LockMode { LockMode(rawValue: 3) }
}
