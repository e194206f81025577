extension RowTree {
  /// A description of a broken invariant; `nil` if all invariants hold.
  package var brokenInvariant: String? {
    let (found, problem) = Self.check(root, height: height, isRoot: true)
    if let problem { return problem }
    if height > 0, root.size(height: height) < 2 { return "a root with one child" }
    return found == count ? nil : "\(found) elements, and a count of \(count)"
  }

  private static func check(
    _ node: RowTreeNode<Element>, height: Int, isRoot: Bool
  ) -> (count: Int, problem: String?) {
    if (node.storage.object is RowTreeStorage<Element>) != (height == 0) {
      return (0, "a node of the wrong kind at height \(height)")
    }
    let size = node.size(height: height)
    if size > RowTreeNode<Element>.capacity || (!isRoot && size < RowTreeNode<Element>.minimum) {
      return (0, "a node of \(size) at height \(height)")
    }
    if height == 0 { return (size, nil) }
    var count = 0
    for slot in 0..<size {
      let child = unsafe node.children[slot]
      let (found, problem) = check(child.node, height: height - 1, isRoot: false)
      if let problem { return (0, problem) }
      if found != child.count { return (0, "\(found) elements below, and a count of \(child.count)") }
      count += found
    }
    return (count, nil)
  }

  /// The identities of the tree's nodes.
  ///
  /// An identity may be reused after its node is deallocated.
  package var nodes: Set<ObjectIdentifier> {
    var nodes: Set<ObjectIdentifier> = []
    visit(root, height: height) { nodes.insert(ObjectIdentifier($0.storage.object)) }
    return nodes
  }

  /// The number of nodes of this tree, and the number of these that are also nodes of `other`.
  package func nodes(sharedWith other: RowTree) -> (all: Int, shared: Int) {
    let nodes = nodes
    return (nodes.count, nodes.intersection(other.nodes).count)
  }

  private func visit(
    _ node: RowTreeNode<Element>, height: Int, _ body: (RowTreeNode<Element>) -> Void
  ) {
    body(node)
    guard height > 0 else { return }
    for slot in 0..<node.size(height: height) {
      visit(unsafe node.children[slot].node, height: height - 1, body)
    }
  }
}
