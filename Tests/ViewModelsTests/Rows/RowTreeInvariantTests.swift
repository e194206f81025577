import Testing

@testable import ViewModels

/// Tests that `RowTree.brokenInvariant`, with which other tests check trees, finds each kind of damage.
@Suite struct RowTreeInvariantTests {
  private typealias Node = RowTreeNode<Int>

  private static func leaf(_ count: Int) -> Node { Node(elements: Array(repeating: 7, count: count)) }

  /// Creates a branch, whose children may have wrong counts.
  private static func branch(_ nodes: (node: Node, count: Int)...) -> Node {
    Node(
      children: nodes.map {
        var child = Node.Child($0.node)
        child.count = $0.count
        return child
      })
  }

  private static func problem(_ root: Node, count: Int) -> String? {
    var tree = RowTree(0..<count)
    tree.root = root
    return tree.brokenInvariant
  }

  @Test("nodes between their limits are no damage")
  func sound() {
    #expect(Self.problem(Self.leaf(0), count: 0) == nil)
    #expect(Self.problem(Self.leaf(64), count: 64) == nil)
    #expect(Self.problem(Self.branch((Self.leaf(32), 32), (Self.leaf(64), 64)), count: 96) == nil)
  }

  @Test("nodes that are too small or too large are found")
  func sizes() {
    #expect(Self.problem(Self.leaf(65), count: 65) == "a node of 65")
    #expect(Self.problem(Self.branch((Self.leaf(31), 31), (Self.leaf(32), 32)), count: 63) == "a node of 31")
    let only = Self.branch((Self.leaf(32), 32))
    #expect(Self.problem(only, count: 32) == "a root with one child")
    #expect(Self.problem(Self.branch((only, 32), (only, 32)), count: 64) == "a node of 1")
  }

  @Test("wrong counts, depths and kinds are found")
  func counts() {
    #expect(Self.problem(Self.leaf(3), count: 4) == "3 elements, and a count of 4")
    let branch = Self.branch((Self.leaf(32), 32), (Self.leaf(40), 39))
    #expect(Self.problem(branch, count: 71) == "40 elements below, and a count of 39")
    let wide = Node(children: (0..<32).map { _ in Node.Child(Self.leaf(32)) })
    let uneven = Self.branch((wide, 1_024), (Self.leaf(32), 32))
    #expect(Self.problem(uneven, count: 1_056) == "leaves at different depths")
    wide.elements = [1]
    #expect(Self.problem(uneven, count: 1_056) == "a branch with elements")
  }
}
