/// The memory of a node: its items and their number, in one piece.
///
/// There is always room for one item more than a node may have, so that it never moves.
@usableFromInline
final class RowTreeStorage<Item>: ManagedBuffer<Int, Item> {
  @inlinable
  deinit {
    // Sound: as many items are there as the header says.
    _ = unsafe withUnsafeMutablePointers { count, items in
      unsafe items.deinitialize(count: count.pointee)
    }
  }
}

/// A strong reference of which one can ask whether it is the only one.
///
/// Asked of a variable of the type `AnyObject` itself, the answer is no: the call takes the object out of the
/// variable, which makes a second reference.
@usableFromInline
struct RowTreeReference<Object: AnyObject> {
  @usableFromInline var object: Object

  @inlinable
  init(_ object: Object) {
    self.object = object
  }

  @inlinable
  mutating func isUnique() -> Bool { isKnownUniquelyReferenced(&object) }
}

/// The items of a node, where they stand.
///
/// It does not keep them alive, and it checks no index: whoever uses it has the tree in hand that the node
/// belongs to, and changes items only of a node that no other tree has (`RowTreeNode.makeUnique(height:)`).
@unsafe
@usableFromInline
struct RowTreeItems<Item> {
  @usableFromInline let number: UnsafeMutablePointer<Int>
  @usableFromInline let first: UnsafeMutablePointer<Item>

  /// - Parameter storage: A `RowTreeStorage` of such items.
  @inlinable
  init(in storage: RowTreeReference<AnyObject>) {
    let storage = unsafe unsafeDowncast(storage.object, to: RowTreeStorage<Item>.self)
    // One by one: a generic tuple is a type that unoptimised code asks the runtime for.
    unsafe number = storage.withUnsafeMutablePointerToHeader { unsafe $0 }
    unsafe first = storage.withUnsafeMutablePointerToElements { unsafe $0 }
  }

  /// Memory for so many items, and none in it.
  @inlinable
  static func makeStorage(room: Int) -> RowTreeReference<AnyObject> {
    RowTreeReference(RowTreeStorage<Item>.create(minimumCapacity: room) { _ in 0 })
  }

  /// How many there are.
  @inlinable
  var count: Int {
    get { unsafe number.pointee }
    nonmutating set { unsafe number.pointee = newValue }
  }

  @inlinable
  subscript(index: Int) -> Item {
    _read { yield unsafe first[index] }
    nonmutating _modify { yield unsafe &first[index] }
  }

  // MARK: Changing

  /// Puts an item in; there has to be room.
  @inlinable
  func insert(_ item: consuming Item, at index: Int) {
    let place = unsafe first + index
    unsafe (place + 1).moveInitialize(from: place, count: count - index)
    unsafe place.initialize(to: item)
    unsafe count += 1
  }

  /// Takes an item out.
  @inlinable
  func remove(at index: Int) -> Item {
    let place = unsafe first + index
    let item = unsafe place.move()
    unsafe count -= 1
    unsafe place.moveInitialize(from: place + 1, count: count - index)
    return item
  }

  /// Copies items to the end of these; there has to be room.
  @inlinable
  func append(copiesOf others: RowTreeItems) {
    unsafe (first + count).initialize(from: others.first, count: others.count)
    unsafe count += others.count
  }

  /// Moves the last items to the beginning of others, where there has to be room.
  @inlinable
  func moveLast(_ moved: Int, toFrontOf others: RowTreeItems) {
    unsafe (others.first + moved).moveInitialize(from: others.first, count: others.count)
    unsafe count -= moved
    unsafe others.first.moveInitialize(from: first + count, count: moved)
    unsafe others.count += moved
  }

  /// Moves the first items to the end of others, where there has to be room.
  @inlinable
  func moveFirst(_ moved: Int, toEndOf others: RowTreeItems) {
    unsafe (others.first + others.count).moveInitialize(from: first, count: moved)
    unsafe others.count += moved
    unsafe count -= moved
    unsafe first.moveInitialize(from: first + moved, count: count)
  }
}
