/// A node of a `RowTree`: a leaf that has elements, or a branch that has nodes.
///
/// Nodes of one depth are all of one kind, so a node does not say which it is; who walks down counts the
/// levels.
@usableFromInline
final class RowTreeNode<Element> {
  /// What a leaf has; empty in a branch.
  @usableFromInline var elements: [Element]
  /// What a branch has; empty in a leaf.
  @usableFromInline var children: [Child]

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

    /// Makes the node one that no other tree has; a copy where it is shared.
    @inlinable
    mutating func makeUnique() {
      if !isKnownUniquelyReferenced(&node) { node = node.copy() }
    }
  }

  /// The most elements or children of a node.
  @inlinable static var capacity: Int { 64 }
  /// The fewest elements or children of a node that is not the root.
  @inlinable static var minimum: Int { 32 }

  @inlinable
  init(elements: [Element] = [], children: [Child] = []) {
    self.elements = elements
    self.children = children
  }

  /// Another node with the same contents, and with room for one more than a node may have.
  @inlinable
  func copy() -> RowTreeNode {
    RowTreeNode(elements: Self.roomyCopy(of: elements), children: Self.roomyCopy(of: children))
  }

  /// A copy that need not be moved when the node grows.
  ///
  /// Left to itself, an array would double its memory instead.
  @inlinable
  static func roomyCopy<Item>(of items: [Item]) -> [Item] {
    if items.isEmpty { return [] }
    var copy: [Item] = []
    copy.reserveCapacity(capacity + 1)
    copy += items
    return copy
  }

  /// Puts an item in, with no more memory than a full node takes.
  @inlinable
  static func insert<Item>(_ item: Item, into items: inout [Item], at index: Int) {
    if items.count == items.capacity { items.reserveCapacity(capacity + 1) }
    items.insert(item, at: index)
  }

  // MARK: Finding

  /// Which child has the element at `offset`, which becomes its offset in that child.
  @inlinable
  func slot(of offset: inout Int) -> Int {
    var slot = 0
    while offset >= children[slot].count {
      offset -= children[slot].count
      slot += 1
    }
    return slot
  }

  /// Into which child an element goes that is to stand at `offset`: the first of two that could have it.
  @inlinable
  func slot(forInsertionAt offset: inout Int) -> Int {
    var slot = 0
    while offset > children[slot].count {
      offset -= children[slot].count
      slot += 1
    }
    return slot
  }

  // MARK: Changing
  // The node is one that no other tree has: the caller has made it so.

  /// Puts an element in; what no longer fits becomes the returned node, which belongs to the right of this
  /// one.
  @inlinable
  func insert(_ element: Element, at offset: Int, height: Int) -> Child? {
    guard height > 0 else {
      Self.insert(element, into: &elements, at: offset)
      return elements.count > Self.capacity ? splitElements() : nil
    }
    var offset = offset
    let slot = slot(forInsertionAt: &offset)
    children[slot].makeUnique()
    children[slot].count += 1
    guard let sibling = children[slot].node.insert(element, at: offset, height: height - 1) else {
      return nil
    }
    children[slot].count -= sibling.count
    Self.insert(sibling, into: &children, at: slot + 1)
    return children.count > Self.capacity ? splitChildren() : nil
  }

  @inlinable
  func splitElements() -> Child {
    let half = elements.count / 2
    let right = Array(elements[half...])
    elements.removeSubrange(half...)
    return Child(node: RowTreeNode(elements: right), count: right.count)
  }

  @inlinable
  func splitChildren() -> Child {
    let half = children.count / 2
    let right = Array(children[half...])
    children.removeSubrange(half...)
    return Child(node: RowTreeNode(children: right), count: right.reduce(0) { $0 + $1.count })
  }

  /// Takes an element out; the node may have too few afterwards, which its parent puts right.
  @inlinable
  func remove(at offset: Int, height: Int) -> Element {
    guard height > 0 else { return elements.remove(at: offset) }
    var offset = offset
    let slot = slot(of: &offset)
    children[slot].makeUnique()
    children[slot].count -= 1
    let removed = children[slot].node.remove(at: offset, height: height - 1)
    if children[slot].node.size(height: height - 1) < Self.minimum { refill(slot, height: height) }
    return removed
  }

  /// How many elements or children it has.
  @inlinable
  func size(height: Int) -> Int {
    height == 0 ? elements.count : children.count
  }

  /// Merges a child that has too few with a neighbour, or takes some from it.
  @inlinable
  func refill(_ slot: Int, height: Int) {
    guard children.count > 1 else { return }
    let left = slot > 0 ? slot - 1 : slot
    children[left].makeUnique()
    let (node, neighbour) = (children[left].node, children[left + 1].node)
    let both = children[left].count + children[left + 1].count
    if node.size(height: height - 1) + neighbour.size(height: height - 1) <= Self.capacity {
      node.elements += neighbour.elements
      node.children += neighbour.children
      children[left].count = both
      children.remove(at: left + 1)
      return
    }
    // Together they have too many for one node: half each, which is enough for both.
    let right =
      if height == 1 {
        Self.halve(&node.elements, neighbour.elements) { RowTreeNode(elements: $0) }
      } else {
        Self.halve(&node.children, neighbour.children) { RowTreeNode(children: $0) }
      }
    let rightCount =
      height == 1 ? right.elements.count : right.children.reduce(0) { $0 + $1.count }
    children[left].count = both - rightCount
    children[left + 1] = Child(node: right, count: rightCount)
  }

  /// Leaves the first half of two arrays in `first` and makes a node of the second half.
  @inlinable
  static func halve<Item>(
    _ first: inout [Item], _ second: [Item], _ makeNode: ([Item]) -> RowTreeNode
  ) -> RowTreeNode {
    first += second
    let half = first.count / 2
    let right = makeNode(Array(first[half...]))
    first.removeSubrange(half...)
    return right
  }
}
