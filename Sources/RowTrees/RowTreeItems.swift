/// The memory of a node: its items and their number, in one allocation.
///
/// The allocation has room for one item more than a node may have, so it never grows.
@usableFromInline
@_fixed_layout  // With library evolution, the inlinable deinitializer needs it.
final class RowTreeStorage<Item>: ManagedBuffer<Int, Item> {
  @_alwaysEmitIntoClient
  deinit {
    // Sound: the header is the number of items, and exactly that many items are initialised.
    _ = unsafe withUnsafeMutablePointers { count, items in
      unsafe items.deinitialize(count: count.pointee)
    }
  }
}

/// A strong reference to an object, and a test whether the object has no other strong reference.
///
/// Without this type, `isKnownUniquelyReferenced` would be called with a variable of the type `AnyObject`.
/// Such a call makes a second reference first, so it always returns false.
@usableFromInline
@frozen
struct RowTreeReference<Object: AnyObject> {
  @usableFromInline var object: Object

  @_alwaysEmitIntoClient
  init(_ object: Object) {
    self.object = object
  }

  @_alwaysEmitIntoClient
  mutating func isUnique() -> Bool { isKnownUniquelyReferenced(&object) }
}

/// The items of a node, accessed by address.
///
/// This type neither keeps the items alive nor checks indices. The caller must keep the node's tree alive.
/// Before it changes items, it must call `RowTreeNode.makeUnique(height:)`, so that no other tree shares
/// them.
@unsafe
@usableFromInline
@frozen
struct RowTreeItems<Item> {
  @usableFromInline let number: UnsafeMutablePointer<Int>
  @usableFromInline let first: UnsafeMutablePointer<Item>

  /// Gives access to the items in `storage`.
  ///
  /// - Parameter storage: Must be a `RowTreeStorage<Item>`; the type is not checked.
  @_alwaysEmitIntoClient
  init(in storage: RowTreeReference<AnyObject>) {
    let storage = unsafe unsafeDowncast(storage.object, to: RowTreeStorage<Item>.self)
    // A single call that returns both pointers would return a generic tuple, and unoptimised code would look
    // up the type of that tuple at run time.
    unsafe number = storage.withUnsafeMutablePointerToHeader { unsafe $0 }
    unsafe first = storage.withUnsafeMutablePointerToElements { unsafe $0 }
  }

  /// Allocates memory for `room` items, and sets the number of items to 0.
  @_alwaysEmitIntoClient
  static func makeStorage(room: Int) -> RowTreeReference<AnyObject> {
    RowTreeReference(RowTreeStorage<Item>.create(minimumCapacity: room) { _ in 0 })
  }

  /// The number of items.
  @_alwaysEmitIntoClient
  var count: Int {
    get { unsafe number.pointee }
    nonmutating set { unsafe number.pointee = newValue }
  }

  @_alwaysEmitIntoClient
  subscript(index: Int) -> Item {
    _read { yield unsafe first[index] }
    nonmutating _modify { yield unsafe &first[index] }
  }

  // MARK: Changing

  /// Inserts an item.
  ///
  /// The caller must ensure that the node has room for the item, and that `index` is at most `count`.
  @_alwaysEmitIntoClient
  func insert(_ item: consuming Item, at index: Int) {
    let place = unsafe first + index
    unsafe (place + 1).moveInitialize(from: place, count: count - index)
    unsafe place.initialize(to: item)
    unsafe count += 1
  }

  /// Removes and returns an item.
  @_alwaysEmitIntoClient
  func remove(at index: Int) -> Item {
    let place = unsafe first + index
    let item = unsafe place.move()
    unsafe count -= 1
    unsafe place.moveInitialize(from: place + 1, count: count - index)
    return item
  }

  /// Appends copies of all items of `others`.
  ///
  /// The caller must ensure that this node has room for them.
  @_alwaysEmitIntoClient
  func append(copiesOf others: RowTreeItems) {
    unsafe (first + count).initialize(from: others.first, count: others.count)
    unsafe count += others.count
  }

  /// Moves the last `moved` items to the beginning of `others`.
  ///
  /// The caller must ensure that `count` is at least `moved`, and that `others` has room for the items.
  @_alwaysEmitIntoClient
  func moveLast(_ moved: Int, toFrontOf others: RowTreeItems) {
    unsafe (others.first + moved).moveInitialize(from: others.first, count: others.count)
    unsafe count -= moved
    unsafe others.first.moveInitialize(from: first + count, count: moved)
    unsafe others.count += moved
  }

  /// Moves the first `moved` items to the end of `others`.
  ///
  /// The caller must ensure that `count` is at least `moved`, and that `others` has room for the items.
  @_alwaysEmitIntoClient
  func moveFirst(_ moved: Int, toEndOf others: RowTreeItems) {
    unsafe (others.first + others.count).moveInitialize(from: first, count: moved)
    unsafe others.count += moved
    unsafe count -= moved
    unsafe first.moveInitialize(from: first + moved, count: count)
  }
}
