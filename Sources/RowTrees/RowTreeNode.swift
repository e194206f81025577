/// A node of a `RowTree`: a leaf with elements, or a branch with child nodes.
///
/// All nodes of one depth are of the same kind, so a node does not store its kind. Callers pass the node's
/// `height` instead: the number of levels below it, 0 for a leaf.
///
/// A node is one object, a `RowTreeStorage`, that contains the node's items. The items are accessed by
/// address, so a search from the root reads one object for each level, and changes no reference counts. An
/// array would add a second object to each node, and dynamic exclusivity checks.
///
/// The unsafe constructs in `RowTree`, `RowTreeNode` and `RowTreeItems` are sound:
/// - `height` determines the kind of the storage, because all leaves have the same depth.
/// - Addresses are used only inside functions of the tree or of the node that they come from. The caller
///   keeps the tree alive, and each node keeps the nodes below it alive.
/// - Items change only in `mutating` functions, after `makeUnique(height:)` has ensured that no other tree
///   shares the object. Until then, several threads may read it.
/// - The tree checks each index that its caller passes in. A search compares an offset with the counts of the
///   children, and ends at a node that contains the offset.
@usableFromInline
@frozen
struct RowTreeNode<Element> {
  @usableFromInline var storage: RowTreeReference<AnyObject>

  /// A node below a branch.
  @usableFromInline
  @frozen
  struct Child {
    @usableFromInline var node: RowTreeNode
    /// The number of elements in the subtree whose root is `node`.
    @usableFromInline var count: Int

    @_alwaysEmitIntoClient
    init(node: RowTreeNode, count: Int) {
      self.node = node
      self.count = count
    }
  }

  /// The maximum number of elements or children of a node.
  @_alwaysEmitIntoClient static var capacity: Int { 64 }
  /// The minimum number of elements or children of a node that is not the root.
  @_alwaysEmitIntoClient static var minimum: Int { 32 }
  /// The number of items that a node has memory for.
  ///
  /// An insertion may exceed the capacity by one, until the node is split.
  @_alwaysEmitIntoClient static var room: Int { capacity + 1 }

  /// Makes a leaf.
  @_alwaysEmitIntoClient
  init(elements: ArraySlice<Element>) {
    storage = unsafe RowTreeItems<Element>.makeStorage(room: Self.room)
    for element in elements { unsafe self.elements.insert(element, at: self.elements.count) }
  }

  /// Makes a branch.
  @_alwaysEmitIntoClient
  init(children: ArraySlice<Child>) {
    storage = unsafe RowTreeItems<Child>.makeStorage(room: Self.room)
    for child in children { unsafe self.children.insert(child, at: self.children.count) }
  }

  /// The elements of a leaf.
  @_alwaysEmitIntoClient
  var elements: RowTreeItems<Element> { unsafe RowTreeItems(in: storage) }

  /// The children of a branch.
  @_alwaysEmitIntoClient
  var children: RowTreeItems<Child> { unsafe RowTreeItems(in: storage) }

  /// The number of elements or children.
  @_alwaysEmitIntoClient
  func size(height: Int) -> Int {
    unsafe height == 0 ? elements.count : children.count
  }

  // MARK: Copying

  /// Replaces the node by a copy if another tree shares it.
  @_alwaysEmitIntoClient
  mutating func makeUnique(height: Int) {
    if !storage.isUnique() { self = copy(height: height) }
  }

  /// Makes a node with the same contents.
  @_alwaysEmitIntoClient
  @inline(never)
  func copy(height: Int) -> RowTreeNode {
    if height == 0 {
      let copy = RowTreeNode(elements: [])
      unsafe copy.elements.append(copiesOf: elements)
      return copy
    }
    let copy = RowTreeNode(children: [])
    unsafe copy.children.append(copiesOf: children)
    return copy
  }

  // MARK: Changing

  /// Inserts an element.
  ///
  /// Returns the new right sibling if the insertion splits the node, and otherwise `nil`. The caller must
  /// insert the sibling into the parent, or make a parent for both if this node is the root.
  @_alwaysEmitIntoClient
  mutating func insert(_ element: consuming Element, at offset: Int, height: Int) -> Child? {
    makeUnique(height: height)
    guard height > 0 else {
      let elements = unsafe elements
      unsafe elements.insert(element, at: offset)
      return unsafe elements.count > Self.capacity ? splitLeaf() : nil
    }
    let children = unsafe children
    var offset = offset
    let slot = unsafe children.slot(forInsertionAt: &offset)
    unsafe children[slot].count += 1
    guard let sibling = unsafe children[slot].node.insert(element, at: offset, height: height - 1) else {
      return nil
    }
    unsafe children[slot].count -= sibling.count
    unsafe children.insert(sibling, at: slot + 1)
    return unsafe children.count > Self.capacity ? splitBranch() : nil
  }

  @_alwaysEmitIntoClient
  @inline(never)
  mutating func splitLeaf() -> Child {
    let right = RowTreeNode(elements: [])
    unsafe elements.moveLast((elements.count + 1) / 2, toFrontOf: right.elements)
    return unsafe Child(node: right, count: right.elements.count)
  }

  @_alwaysEmitIntoClient
  @inline(never)
  mutating func splitBranch() -> Child {
    let right = RowTreeNode(children: [])
    unsafe children.moveLast((children.count + 1) / 2, toFrontOf: right.children)
    return unsafe Child(node: right, count: right.children.elementCount())
  }

  /// Removes and returns an element.
  ///
  /// If the node then has fewer than `minimum` items, the caller must refill it, unless it is the root.
  @_alwaysEmitIntoClient
  mutating func remove(at offset: Int, height: Int) -> Element {
    makeUnique(height: height)
    guard height > 0 else { return unsafe elements.remove(at: offset) }
    let children = unsafe children
    var offset = offset
    let slot = unsafe children.slot(of: &offset)
    unsafe children[slot].count -= 1
    let removed = unsafe children[slot].node.remove(at: offset, height: height - 1)
    if unsafe children[slot].node.size(height: height - 1) < Self.minimum { refill(slot, height: height) }
    return removed
  }

  /// Merges the child at `slot`, which has too few items, with a neighbour.
  ///
  /// If the two children have too many items for one node, divides the items equally between them. Does
  /// nothing if the child has no neighbour.
  @_alwaysEmitIntoClient
  @inline(never)
  mutating func refill(_ slot: Int, height: Int) {
    let children = unsafe children
    guard unsafe children.count > 1 else { return }
    let left = slot > 0 ? slot - 1 : slot
    let below = height - 1
    unsafe children[left].node.makeUnique(height: below)
    let both = unsafe children[left].count + children[left + 1].count
    let sizes = unsafe children[left].node.size(height: below) + children[left + 1].node.size(height: below)
    if sizes <= Self.capacity {
      // The items are copied and not moved, because another tree may share the right neighbour.
      if below == 0 {
        unsafe children[left].node.elements.append(copiesOf: children[left + 1].node.elements)
      } else {
        unsafe children[left].node.children.append(copiesOf: children[left + 1].node.children)
      }
      unsafe children[left].count = both
      _ = unsafe children.remove(at: left + 1)
      return
    }
    // The two children have too many items for one node, so each gets half of them. Because both change, no
    // other tree may share the right one either.
    unsafe children[left + 1].node.makeUnique(height: below)
    if below == 0 {
      let (elements, others) = unsafe (children[left].node.elements, children[left + 1].node.elements)
      unsafe elements.halve(with: others)
      unsafe children[left].count = elements.count
    } else {
      let (nodes, others) = unsafe (children[left].node.children, children[left + 1].node.children)
      unsafe nodes.halve(with: others)
      unsafe children[left].count = nodes.elementCount()
    }
    unsafe children[left + 1].count = both - children[left].count
  }
}

extension RowTreeItems {
  /// Moves items between this node and `others`, its right neighbour, so that each has half of them.
  ///
  /// The caller must ensure that no other tree shares either node.
  @_alwaysEmitIntoClient
  func halve(with others: RowTreeItems) {
    let half = unsafe (count + others.count) / 2
    if unsafe count > half {
      unsafe moveLast(count - half, toFrontOf: others)
    } else {
      unsafe others.moveFirst(half - count, toEndOf: self)
    }
  }

  /// The index in this branch of the child that contains the element at `offset`.
  ///
  /// `offset` must be less than the number of elements below the branch. On return, it is the element's
  /// offset in the child.
  @_alwaysEmitIntoClient
  func slot<Element>(of offset: inout Int) -> Int where Item == RowTreeNode<Element>.Child {
    var slot = 0
    while unsafe offset >= self[slot].count {
      unsafe offset -= self[slot].count
      slot += 1
    }
    return slot
  }

  /// The index in this branch of the child that takes an insertion at `offset`.
  ///
  /// An insertion between two children goes to the end of the left one. `offset` must be at most the number
  /// of elements below the branch. On return, it is the insertion's offset in the child.
  @_alwaysEmitIntoClient
  func slot<Element>(forInsertionAt offset: inout Int) -> Int where Item == RowTreeNode<Element>.Child {
    var slot = 0
    while unsafe offset > self[slot].count {
      unsafe offset -= self[slot].count
      slot += 1
    }
    return slot
  }

  /// The number of elements below this branch.
  @_alwaysEmitIntoClient
  func elementCount<Element>() -> Int where Item == RowTreeNode<Element>.Child {
    unsafe (0..<count).reduce(0) { unsafe $0 + self[$1].count }
  }
}
