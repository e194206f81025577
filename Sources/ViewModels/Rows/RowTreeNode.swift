/// A node of a `RowTree`: a leaf with elements, or a branch with children.
///
/// A node is changed only by a tree that holds the only reference to it. The `mutating` functions of the tree
/// ensure this for the root, and the functions below for each child that they change. So any number of trees,
/// on several threads, may share a node.
// `@unchecked Sendable` is sound: a shared node is never changed, as said above. The reference count, which
// is atomic, shows whether a node is shared.
final class RowTreeNode<Element: Sendable>: @unchecked Sendable {
  /// The elements of a leaf; empty in a branch.
  var elements: [Element]
  /// The children of a branch; empty in a leaf.
  private(set) var children: [Child]

  struct Child {
    var node: RowTreeNode
    /// The number of elements below `node`.
    var count: Int

    init(_ node: RowTreeNode) {
      self.node = node
      count = node.elements.count + node.children.reduce(0) { $0 + $1.count }
    }

    mutating func makeUnique() {
      if !isKnownUniquelyReferenced(&node) { node = node.copy() }
    }
  }

  /// The maximum number of elements or children.
  static var capacity: Int { 64 }
  /// The minimum number of elements or children of a node that is not the root.
  static var minimum: Int { 32 }

  init(elements: [Element] = [], children: [Child] = []) {
    self.elements = elements
    self.children = children
  }

  func copy() -> RowTreeNode { RowTreeNode(elements: elements, children: children) }

  private var size: Int { elements.count + children.count }

  // MARK: Searching

  /// The leaf that has the element at `index`, and the element's offset in it.
  func leaf(at index: Int) -> (leaf: RowTreeNode, offset: Int) {
    var (node, offset) = (self, index)
    while !node.children.isEmpty { node = node.children[node.slot(of: &offset)].node }
    return (node, offset)
  }

  /// The leaf that has the element at `index`, and the element's offset in it; copies shared nodes above it.
  func uniqueLeaf(at index: Int) -> (leaf: RowTreeNode, offset: Int) {
    var (node, offset) = (self, index)
    while !node.children.isEmpty {
      let slot = node.slot(of: &offset)
      node.children[slot].makeUnique()
      node = node.children[slot].node
    }
    return (node, offset)
  }

  /// The index of the child that has the element at `offset`, which becomes the offset in that child.
  ///
  /// The offset after the last element is in the last child.
  private func slot(of offset: inout Int) -> Int {
    var slot = 0
    while offset >= children[slot].count, slot < children.count - 1 {
      offset -= children[slot].count
      slot += 1
    }
    return slot
  }

  // MARK: Changing

  /// Inserts an element; returns a new right sibling if that splits the node.
  ///
  /// The caller must insert the sibling into the parent.
  func insert(_ element: Element, at index: Int) -> Child? {
    if children.isEmpty {
      elements.insert(element, at: index)
    } else {
      var offset = index
      let slot = slot(of: &offset)
      children[slot].makeUnique()
      children[slot].count += 1
      if let sibling = children[slot].node.insert(element, at: offset) {
        children[slot].count -= sibling.count
        children.insert(sibling, at: slot + 1)
      }
    }
    guard size > Self.capacity else { return nil }
    let (left, right) = Self.halves(elements, children)
    (elements, children) = (left.elements, left.children)
    return Child(right)
  }

  /// Removes and returns an element.
  ///
  /// The caller must refill the node if it then has less than `minimum` items, unless it is the root.
  func remove(at index: Int) -> Element {
    if children.isEmpty { return elements.remove(at: index) }
    var offset = index
    let slot = slot(of: &offset)
    children[slot].makeUnique()
    children[slot].count -= 1
    let removed = children[slot].node.remove(at: offset)
    if children[slot].node.size < Self.minimum, children.count > 1 { refill(max(0, slot - 1)) }
    return removed
  }

  /// Merges the children `left` and `left + 1`, or divides their items equally if one node can't hold them.
  private func refill(_ left: Int) {
    let (first, second) = (children[left].node, children[left + 1].node)
    let (elements, nodes) = (first.elements + second.elements, first.children + second.children)
    if elements.count + nodes.count <= Self.capacity {
      children.replaceSubrange(
        left...left + 1, with: [Child(RowTreeNode(elements: elements, children: nodes))])
    } else {
      let halves = Self.halves(elements, nodes)
      children.replaceSubrange(left...left + 1, with: [Child(halves.0), Child(halves.1)])
    }
  }

  /// Two nodes with half of the items each; one of the two arrays is empty.
  private static func halves(_ elements: [Element], _ children: [Child]) -> (RowTreeNode, RowTreeNode) {
    let (element, child) = ((elements.count + 1) / 2, (children.count + 1) / 2)
    return (
      RowTreeNode(elements: Array(elements[..<element]), children: Array(children[..<child])),
      RowTreeNode(elements: Array(elements[element...]), children: Array(children[child...]))
    )
  }
}
