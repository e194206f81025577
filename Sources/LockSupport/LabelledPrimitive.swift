#if DeadlockDetection || Exploration
  internal import CInterlock

  /// The identity of a primitive, which traps, reports of deadlocks and explorations, and profiles of contention
  /// name.
  ///
  /// It is the primitive's type and label, and the line of source that makes the primitive. Without the
  /// traits `DeadlockDetection` and `Exploration`, `Primitive.swift` takes the place of this file.
  @usableFromInline
  @frozen
  package struct Primitive: Sendable, Hashable {
    /// The identity as an argument of a `SlowPath`: the address of the `LockClass`.
    @usableFromInline
    package let word: UInt

    @usableFromInline
    package init(
      _ kind: PrimitiveKind, _ label: StaticString = "", _ file: StaticString = "", _ line: UInt = 0
    ) {
      let lockClass = LockClass.find(kind, label, file, line)
      word = unsafe UInt(bitPattern: Unmanaged.passUnretained(lockClass).toOpaque())
    }

    /// Makes the identity again from its `word`.
    package init(word: UInt) {
      self.word = word
    }

    package var lockClass: LockClass {
      // Sound: `word` is the address of a class, and classes are never freed.
      unsafe Unmanaged<LockClass>.fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
        .takeUnretainedValue()
    }

    package var kind: PrimitiveKind { lockClass.kind }

    /// The identity of a part of the primitive.
    @usableFromInline
    package func part(_ kind: PrimitiveKind) -> Primitive {
      Primitive(kind, lockClass.label, lockClass.file, lockClass.line)
    }

    /// The name in traps, for example `UnfairLock "accounts"`.
    package var name: String { lockClass.hasLabel ? "\(kind.name) \"\(lockClass.label)\"" : kind.name }

    /// The label, and the line of source that makes the primitive; `nil` if they are not known.
    ///
    /// For example `"accounts" (made at Bank.swift:12)`.
    package var origin: String? { lockClass.line == 0 ? nil : lockClass.origin() }
  }

  /// All primitives of one type with one label that one line of source makes.
  ///
  /// The process never frees it.
  package final class LockClass: Sendable {
    package let kind: PrimitiveKind
    package let label: StaticString
    package let file: StaticString
    package let line: UInt
    /// The number of classes that were made before.
    package let index: Int
    /// The label, if an order can be declared for it; empty if not.
    ///
    /// Predicates and activations are no locks and have the label of the object that contains them. The lock
    /// of a `QueueProperty` is acquired only on the property's queue.
    package let orderedLabel: String
    /// The index of the first class with the same `orderedLabel`.
    package let firstIndex: Int

    private struct Key: Hashable {
      let kind: PrimitiveKind
      let label: UInt
      let file: UInt
      let line: UInt
    }

    // Sound: accessed only while the mutex of `interlock_detector_lock` is held.
    private nonisolated(unsafe) static var all: [LockClass] = []
    private nonisolated(unsafe) static var indices: [Key: Int] = [:]
    private nonisolated(unsafe) static var firstIndices: [String: Int] = [:]

    private init(_ kind: PrimitiveKind, _ label: StaticString, _ file: StaticString, _ line: UInt) {
      self.kind = kind
      self.label = label
      self.file = file
      self.line = line
      let isOrdered = kind != .predicate && kind != .activation && kind != .queueProperty
      orderedLabel = isOrdered ? "\(label)" : ""
      unsafe index = Self.all.count
      unsafe firstIndex = Self.firstIndices[orderedLabel] ?? Self.all.count
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
      if !new.orderedLabel.isEmpty { unsafe firstIndices[new.orderedLabel] = new.firstIndex }
      return new
    }

    /// The class with the given index.
    ///
    /// The caller must hold the mutex of `interlock_detector_lock`.
    package static func whileLocked(at index: Int) -> LockClass { unsafe all[index] }

    /// The class with the given index, for callers that do not hold that mutex.
    package static func find(at index: Int) -> LockClass {
      interlock_detector_lock()
      defer { interlock_detector_unlock() }
      return unsafe all[index]
    }

    package var hasLabel: Bool { label.utf8CodeUnitCount > 0 }

    /// The label in quotation marks, if there is one, and then in parentheses `detail` and the line of source
    /// that makes the locks.
    package func origin(_ detail: String = "") -> String {
      let file = "\(file)".split(separator: "/").last ?? ""
      return "\(hasLabel ? "\"\(label)\" " : "")(\(detail)made at \(file):\(line))"
    }

    private static func address(of string: StaticString) -> UInt {
      // Sound: the address is only compared, and never read through. A string that is a single Unicode scalar
      // has no address.
      string.hasPointerRepresentation ? unsafe UInt(bitPattern: string.utf8Start) : 0
    }
  }
#endif
