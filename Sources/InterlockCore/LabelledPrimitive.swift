#if DeadlockDetection || Exploration
  internal import CInterlock

  /// Identifies a primitive in traps, in reports of deadlocks and explorations, and in profiles of
  /// contention.
  ///
  /// It consists of the primitive's type and label, and the source line that makes the primitive. In builds
  /// without the traits `DeadlockDetection` and `Exploration`, `Primitive.swift` replaces this file.
  @frozen
  public struct Primitive: Sendable, Hashable {
    /// The address of the primitive's `LockClass`.
    @usableFromInline
    package let word: UInt

    /// Makes the identity of a primitive.
    ///
    /// - Parameters:
    ///   - kind: The primitive's type.
    ///   - label: The primitive's name in reports.
    ///   - file: The source file that makes the primitive, for reports.
    ///   - line: The source line that makes the primitive, for reports.
    public init(
      _ kind: PrimitiveKind, _ label: StaticString = "", _ file: StaticString = "", _ line: UInt = 0
    ) {
      let lockClass = LockClass.find(kind, label, file, line)
      word = unsafe UInt(bitPattern: Unmanaged.passUnretained(lockClass).toOpaque())
    }

    package var lockClass: LockClass {
      // Sound: `word` is the address of a `LockClass`, and no `LockClass` is ever freed.
      unsafe Unmanaged<LockClass>.fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
        .takeUnretainedValue()
    }

    package var kind: PrimitiveKind { lockClass.kind }

    /// The primitive with the same label and source line, but with the type `kind`.
    ///
    /// It identifies a part of this primitive, or the whole of which this primitive is a part.
    @usableFromInline
    package func part(_ kind: PrimitiveKind) -> Primitive {
      Primitive(kind, lockClass.label, lockClass.file, lockClass.line)
    }

    /// The primitive's name in traps, for example `UnfairLock "accounts"`.
    package var name: String {
      lockClass.hasLabel ? "\(kind.name.text) \"\(lockClass.label)\"" : kind.name.text
    }

    /// The label, and the source line that makes the primitive; `nil` if the line is not known.
    ///
    /// For example `"accounts" (made at Bank.swift:12)`.
    package var origin: String? { lockClass.line == 0 ? nil : lockClass.origin() }
  }

  /// All primitives that one source line makes with the same type and label.
  ///
  /// A `LockClass` is never freed.
  package final class LockClass: Sendable {
    package let kind: PrimitiveKind
    package let label: StaticString
    package let file: StaticString
    package let line: UInt
    /// The number of classes that were made before this one.
    package let index: Int
    private struct Key: Hashable {
      let kind: PrimitiveKind
      let label: UInt
      let file: UInt
      let line: UInt
    }

    // Sound: `all` and `indices` are accessed only while the mutex of `interlock_detector_lock` is held.
    private nonisolated(unsafe) static var all: [LockClass] = []
    private nonisolated(unsafe) static var indices: [Key: Int] = [:]

    private init(_ kind: PrimitiveKind, _ label: StaticString, _ file: StaticString, _ line: UInt) {
      self.kind = kind
      self.label = label
      self.file = file
      self.line = line
      unsafe index = Self.all.count
    }

    fileprivate static func find(
      _ kind: PrimitiveKind, _ label: StaticString, _ file: StaticString, _ line: UInt
    ) -> LockClass {
      let key = Key(kind: kind, label: address(of: label), file: address(of: file), line: line)
      interlock_detector_lock()
      defer { interlock_detector_unlock() }
      if let index = unsafe indices[key] { return unsafe all[index] }
      let new = LockClass(kind, label, file, line)
      unsafe all.append(new)
      unsafe indices[key] = new.index
      return new
    }

    /// The class with the given index.
    ///
    /// The caller must hold the mutex of `interlock_detector_lock`.
    package static func whileLocked(at index: Int) -> LockClass { unsafe all[index] }

    /// The class with the given index.
    ///
    /// The caller must not hold the mutex of `interlock_detector_lock`, because this function acquires it.
    package static func find(at index: Int) -> LockClass {
      interlock_detector_lock()
      defer { interlock_detector_unlock() }
      return unsafe all[index]
    }

    package var hasLabel: Bool { label.utf8CodeUnitCount > 0 }

    /// The label and the source line that makes the primitives, for example `"cache" (made at Cache.swift:12)`.
    ///
    /// - Parameter detail: A text that follows the opening parenthesis.
    package func origin(_ detail: String = "") -> String {
      let file = "\(file)".split(separator: "/").last ?? ""
      return "\(hasLabel ? "\"\(label)\" " : "")(\(detail)made at \(file):\(line))"
    }

    private static func address(of string: StaticString) -> UInt {
      // Sound: the address is only compared, and never read through. A `StaticString` that is a single
      // Unicode scalar has no address, so its result is 0.
      string.hasPointerRepresentation ? unsafe UInt(bitPattern: string.utf8Start) : 0
    }
  }

  extension PrimitiveKind: Hashable {
    /// Feeds the name to the hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(name.text)
    }
  }
#endif
