@testable import ViewModels

extension RowTree {
  /// A description of a broken invariant; `nil` if all invariants hold.
  var brokenInvariant: String? {
    let (found, _, problem) = Self.check(root, isRoot: true)
    if let problem { return problem }
    return found == count ? nil : "\(found) elements, and a count of \(count)"
  }

  /// Checks a subtree; returns its number of elements, its height and the first problem.
  private static func check(
    _ node: RowTreeNode<Element>, isRoot: Bool
  ) -> (count: Int, height: Int, problem: String?) {
    let isLeaf = node.children.isEmpty
    if !isLeaf, !node.elements.isEmpty { return (0, 0, "a branch with elements") }
    let size = isLeaf ? node.elements.count : node.children.count
    if size > RowTreeNode<Element>.capacity || (!isRoot && size < RowTreeNode<Element>.minimum) {
      return (0, 0, "a node of \(size)")
    }
    if isLeaf { return (size, 0, nil) }
    if size == 1 { return (0, 0, "a root with one child") }
    var count = 0
    var heights: Set<Int> = []
    for child in node.children {
      let (found, height, problem) = check(child.node, isRoot: false)
      if let problem { return (0, 0, problem) }
      if found != child.count { return (0, 0, "\(found) elements below, and a count of \(child.count)") }
      count += found
      heights.insert(height)
    }
    return (count, heights.max()! + 1, heights.count > 1 ? "leaves at different depths" : nil)
  }

  /// The identities of the tree's nodes.
  ///
  /// An identity may be reused after its node is deallocated.
  var nodes: Set<ObjectIdentifier> {
    var nodes: Set<ObjectIdentifier> = []
    func visit(_ node: RowTreeNode<Element>) {
      nodes.insert(ObjectIdentifier(node))
      for child in node.children { visit(child.node) }
    }
    visit(root)
    return nodes
  }
}
