extension RowTree {
  /// What is wrong with the structure; `nil` where all invariants hold.
  package var brokenInvariant: String? {
    if height > 0, root.children.count < 2 { return "a root with \(root.children.count) children" }
    let (found, problem) = Self.check(root, height: height, isRoot: true)
    return problem ?? (found == count ? nil : "\(found) elements, and a count of \(count)")
  }

  private static func check(
    _ node: RowTreeNode<Element>, height: Int, isRoot: Bool
  ) -> (count: Int, problem: String?) {
    let size = node.size(height: height)
    if size > RowTreeNode<Element>.capacity || (!isRoot && size < RowTreeNode<Element>.minimum) {
      return (0, "a node of \(size) at height \(height)")
    }
    if height == 0 { return (size, node.children.isEmpty ? nil : "a leaf with children") }
    if !node.elements.isEmpty { return (0, "a branch with elements") }
    var count = 0
    for child in node.children {
      let (found, problem) = check(child.node, height: height - 1, isRoot: false)
      if let problem { return (0, problem) }
      if found != child.count { return (0, "\(found) elements below, and a count of \(child.count)") }
      count += found
    }
    return (count, nil)
  }

  /// How many nodes the tree has, and how many of them `other` has too.
  package func nodes(sharedWith other: RowTree) -> (all: Int, shared: Int) {
    var others: Set<ObjectIdentifier> = []
    other.visit(other.root, height: other.height) { others.insert(ObjectIdentifier($0)) }
    var (all, shared) = (0, 0)
    visit(root, height: height) { node in
      all += 1
      if others.contains(ObjectIdentifier(node)) { shared += 1 }
    }
    return (all, shared)
  }

  private func visit(
    _ node: RowTreeNode<Element>, height: Int, _ body: (RowTreeNode<Element>) -> Void
  ) {
    body(node)
    for child in node.children { visit(child.node, height: height - 1, body) }
  }
}
