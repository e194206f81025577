/// A node of a `RowTree`: a leaf that has elements, or a branch that has nodes.
///
/// Nodes of one depth are all of one kind, so a node does not say which it is; who walks down counts the
/// levels, and says how many there are below a node (`height`, 0 for a leaf).
///
/// A node is one object, a `RowTreeStorage`, with the items in it, which are reached by address. Walking down
/// therefore touches two lines of memory for each level and the numbers between them, and counts no
/// references; an array would be another object behind the node, and dynamic checks for exclusive access.
///
/// Why the unsafe constructs here are sound:
/// - The kind of the storage is what `height` says, because the tree's height is the depth of all leaves.
/// - Addresses are used only inside functions of the tree or the node that they come from, which is kept alive
///   by whoever calls it: nodes below are kept by those above.
/// - Items change only in `mutating` functions, after `makeUnique(height:)`: then nobody else has the object.
///   Until then several threads read it.
/// - Offsets are below the counts that walking down compares them with; the tree checks the index that comes
///   from outside.
@usableFromInline
struct RowTreeNode<Element> {
  @usableFromInline var storage: RowTreeReference<AnyObject>

  /// A node below a branch.
  @usableFromInline
  struct Child {
    @usableFromInline var node: RowTreeNode
    /// How many elements there are in the leaves below.
    @usableFromInline var count: Int

    @inlinable
    init(node: RowTreeNode, count: Int) {
      self.node = node
      self.count = count
    }
  }

  /// The most elements or children of a node.
  @inlinable static var capacity: Int { 64 }
  /// The fewest elements or children of a node that is not the root.
  @inlinable static var minimum: Int { 32 }
  /// For how many a node has memory: an insertion may make it too large for a moment.
  @inlinable static var room: Int { capacity + 1 }

  /// Makes a leaf.
  @inlinable
  init(elements: ArraySlice<Element>) {
    storage = unsafe RowTreeItems<Element>.makeStorage(room: Self.room)
    for element in elements { unsafe self.elements.insert(element, at: self.elements.count) }
  }

  /// Makes a branch.
  @inlinable
  init(children: ArraySlice<Child>) {
    storage = unsafe RowTreeItems<Child>.makeStorage(room: Self.room)
    for child in children { unsafe self.children.insert(child, at: self.children.count) }
  }

  /// What a leaf has.
  @inlinable
  var elements: RowTreeItems<Element> { unsafe RowTreeItems(in: storage) }

  /// What a branch has.
  @inlinable
  var children: RowTreeItems<Child> { unsafe RowTreeItems(in: storage) }

  /// How many elements or children it has.
  @inlinable
  func size(height: Int) -> Int {
    unsafe height == 0 ? elements.count : children.count
  }

  // MARK: Copying

  /// Makes the node one that no other tree has; a copy where it is shared.
  @inlinable
  mutating func makeUnique(height: Int) {
    if !storage.isUnique() { self = copy(height: height) }
  }

  /// Another node with the same contents.
  @inlinable
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

  /// Puts an element in; what no longer fits becomes the returned node, which belongs to the right of this
  /// one.
  @inlinable
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

  @inlinable
  @inline(never)
  mutating func splitLeaf() -> Child {
    let right = RowTreeNode(elements: [])
    unsafe elements.moveLast((elements.count + 1) / 2, toFrontOf: right.elements)
    return unsafe Child(node: right, count: right.elements.count)
  }

  @inlinable
  @inline(never)
  mutating func splitBranch() -> Child {
    let right = RowTreeNode(children: [])
    unsafe children.moveLast((children.count + 1) / 2, toFrontOf: right.children)
    return unsafe Child(node: right, count: right.children.elementCount())
  }

  /// Takes an element out; the node may have too few afterwards, which its parent puts right.
  @inlinable
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

  /// Merges a child that has too few with a neighbour, or takes some from it.
  @inlinable
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
      // The neighbour may be another tree's too: its items are copied.
      if below == 0 {
        unsafe children[left].node.elements.append(copiesOf: children[left + 1].node.elements)
      } else {
        unsafe children[left].node.children.append(copiesOf: children[left + 1].node.children)
      }
      unsafe children[left].count = both
      _ = unsafe children.remove(at: left + 1)
      return
    }
    // Together they have too many for one node: half each, which is enough for both.
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
  /// Moves some of these to the neighbour on the right, or of its to here, so that each has half.
  @inlinable
  func halve(with others: RowTreeItems) {
    let half = unsafe (count + others.count) / 2
    if unsafe count > half {
      unsafe moveLast(count - half, toFrontOf: others)
    } else {
      unsafe others.moveFirst(half - count, toEndOf: self)
    }
  }

  /// Which child has the element at `offset`, which becomes its offset in that child.
  @inlinable
  func slot<Element>(of offset: inout Int) -> Int where Item == RowTreeNode<Element>.Child {
    var slot = 0
    while unsafe offset >= self[slot].count {
      unsafe offset -= self[slot].count
      slot += 1
    }
    return slot
  }

  /// Into which child an element goes that is to stand at `offset`: the first of two that could have it.
  @inlinable
  func slot<Element>(forInsertionAt offset: inout Int) -> Int where Item == RowTreeNode<Element>.Child {
    var slot = 0
    while unsafe offset > self[slot].count {
      unsafe offset -= self[slot].count
      slot += 1
    }
    return slot
  }

  /// How many elements there are below all children.
  @inlinable
  func elementCount<Element>() -> Int where Item == RowTreeNode<Element>.Child {
    unsafe (0..<count).reduce(0) { unsafe $0 + self[$1].count }
  }
}
