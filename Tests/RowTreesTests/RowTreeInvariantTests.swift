import Testing

@testable import RowTrees

/// Tests that `RowTree.brokenInvariant`, with which other tests check trees, finds each kind of damage.
@Suite struct RowTreeInvariantTests {
  private typealias Node = RowTreeNode<Int>

  private static func leaf(_ count: Int) -> Node { Node(elements: Array(repeating: 7, count: count)[...]) }

  /// Makes a branch with the given nodes as children, and stores the given counts, which can be wrong.
  private static func branch(_ nodes: (node: Node, count: Int)...) -> Node {
    Node(children: nodes.map { Node.Child(node: $0.node, count: $0.count) }[...])
  }

  private static func problem(_ root: Node, height: Int, count: Int) -> String? {
    var tree = RowTree<Int>()
    (tree.root, tree.height, tree.elementCount) = (root, height, count)
    return tree.brokenInvariant
  }

  @Test("Nodes between their limits are no damage")
  func sound() {
    #expect(Self.problem(Self.leaf(0), height: 0, count: 0) == nil)
    #expect(Self.problem(Self.leaf(64), height: 0, count: 64) == nil)
    let branch = Self.branch((Self.leaf(32), 32), (Self.leaf(64), 64))
    #expect(Self.problem(branch, height: 1, count: 96) == nil)
  }

  @Test("Nodes that are too small or too large are found")
  func sizes() {
    #expect(Self.problem(Self.leaf(65), height: 0, count: 65) == "a node of 65 at height 0")
    let small = Self.branch((Self.leaf(31), 31), (Self.leaf(32), 32))
    #expect(Self.problem(small, height: 1, count: 63) == "a node of 31 at height 0")
    let large = Self.branch((Self.leaf(32), 32), (Self.leaf(65), 65))
    #expect(Self.problem(large, height: 1, count: 97) == "a node of 65 at height 0")
    let only = Self.branch((Self.leaf(32), 32))
    #expect(Self.problem(only, height: 1, count: 32) == "a root with one child")
    let deep = Self.branch((only, 32), (only, 32))
    #expect(Self.problem(deep, height: 2, count: 64) == "a node of 1 at height 1")
  }

  @Test("Wrong counts are found")
  func counts() {
    #expect(Self.problem(Self.leaf(3), height: 0, count: 4) == "3 elements, and a count of 4")
    let branch = Self.branch((Self.leaf(32), 32), (Self.leaf(40), 39))
    #expect(Self.problem(branch, height: 1, count: 71) == "40 elements below, and a count of 39")
  }

  @Test("Nodes of the wrong kind are found")
  func kinds() {
    #expect(Self.problem(Self.leaf(40), height: 1, count: 40) == "a node of the wrong kind at height 1")
    let branch = Self.branch((Self.leaf(32), 32), (Self.leaf(32), 32))
    #expect(Self.problem(branch, height: 0, count: 2) == "a node of the wrong kind at height 0")
  }
}
