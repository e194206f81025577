/// A published value, with a header through which code that does not know the value's type can free the
/// box.
@usableFromInline
@frozen
@safe
struct SnapshotBox<Value: ~Copyable>: ~Copyable {
  @usableFromInline
  var header: RetiredBox

  @usableFromInline
  var value: Value

  @_alwaysEmitIntoClient
  init(_ value: consuming Value) {
    header = RetiredBox(disposal: Disposal<Value>.self)
    self.value = value
  }

  /// Moves `value` into a new box.
  @_alwaysEmitIntoClient
  static func allocate(_ value: consuming Value) -> UnsafeMutablePointer<SnapshotBox> {
    let box = UnsafeMutablePointer<SnapshotBox>.allocate(capacity: 1)
    unsafe box.initialize(to: SnapshotBox(value))
    return unsafe box
  }

  /// The box at `address`, which must be the address of a box that has not been freed.
  @_alwaysEmitIntoClient
  @_transparent
  static func at(_ address: UInt) -> UnsafeMutablePointer<SnapshotBox> {
    unsafe UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  /// Destroys the value in the box at `address`, and frees the box.
  ///
  /// The caller must own the box, and no thread may be reading the value.
  @_alwaysEmitIntoClient
  static func dispose(_ address: UInt) {
    // Sound: the caller owns the box, which no thread reads any more.
    let box = unsafe at(address)
    unsafe box.deinitialize(count: 1)
    unsafe box.deallocate()
  }
}

/// The header of a `SnapshotBox`: what the list of retired boxes needs, and the function that frees the box.
@usableFromInline
@frozen
struct RetiredBox {
  /// The address of the next retired box; 0 at the end.
  @usableFromInline
  var next: UInt = 0

  /// The address of the snapshot that has retired the box, which may not exist any more; 0 before.
  @usableFromInline
  var owner: UInt = 0

  /// Frees the box.
  @usableFromInline
  let disposal: any Disposing.Type

  @_alwaysEmitIntoClient
  init(disposal: any Disposing.Type) {
    self.disposal = disposal
  }
}

/// Frees boxes of one type.
@usableFromInline
protocol Disposing {
  static func dispose(_ address: UInt)
}

@usableFromInline
@frozen
enum Disposal<Value: ~Copyable>: Disposing {
  @_alwaysEmitIntoClient
  static func dispose(_ address: UInt) { SnapshotBox<Value>.dispose(address) }
}
