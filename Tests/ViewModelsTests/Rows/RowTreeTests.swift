import TestSupport
import Testing

@testable import ViewModels

/// Tests `RowTree`, mostly by comparing it with an array after the same changes.
@Suite struct RowTreeTests {
  /// Makes the same random changes to a tree and an array, and compares them.
  ///
  /// Copies of the tree that are kept must not be altered by later changes.
  @Test(arguments: [0, 1, 63, 64, 65, 97, 4_000, 9_000])
  func editsHaveTheResultsOfAnArray(initialCount: Int) {
    var random = Seed.current.generator(stream: initialCount)
    var array = (0..<initialCount).map { "element \($0)" }
    var tree = RowTree(array)
    #expect(tree.brokenInvariant == nil)
    var held: [(tree: RowTree<String>, array: [String])] = []
    for step in 0..<StressSize.pick(quick: 1_500, full: 40_000) {
      // The tree and the array grow for 500 steps, then shrink for 500 steps, and so on. So splits and merges
      // of nodes reach the root.
      let grows = step / 500 % 2 == 0
      change(&tree, &array, step, grows: grows, &random)
      #expect(tree.count == array.count)
      if random.happens(percent: 2) { held.append((tree, array)) }
      if random.happens(percent: 1) {
        #expect(tree.elementsEqual(array), "\(Seed.current)")
        #expect(tree.brokenInvariant == nil, "\(Seed.current)")
      }
    }
    #expect(Array(tree) == array, "\(Seed.current)")
    #expect(tree.brokenInvariant == nil, "\(Seed.current)")
    for copy in held {
      #expect(Array(copy.tree) == copy.array, "\(Seed.current)")
      #expect(copy.tree.brokenInvariant == nil, "\(Seed.current)")
    }
  }

  /// Makes the same random change to the tree and the array.
  private func change(
    _ tree: inout RowTree<String>, _ array: inout [String], _ step: Int, grows: Bool,
    _ random: inout SplitMix64
  ) {
    // Half of the changes are at the same place, so that they empty whole nodes. This place is at a third of
    // the array's length.
    let place =
      random.happens(percent: 50) ? array.count / 3 : Int.random(in: 0...array.count, using: &random)
    if array.isEmpty || random.happens(percent: grows ? 60 : 10) {
      array.insert("new \(step)", at: place)
      tree.insert("new \(step)", at: place)
    } else {
      let index = min(place, array.count - 1)
      if random.happens(percent: 80) {
        let removed = array.remove(at: index)
        let removedFromTree = tree.remove(at: index)
        #expect(removedFromTree == removed, "\(Seed.current)")
      } else if random.happens(percent: 50) {
        tree[index] = "other \(step)"
        array[index] = "other \(step)"
      } else {
        tree[index] += "-\(step)"
        array[index] += "-\(step)"
      }
    }
  }

  /// Removes all elements one by one: always the first, always the middle or always the last one.
  ///
  /// The empty tree must then be able to grow again.
  @Test(arguments: [0.0, 0.5, 1.0])
  func everyElementCanBeRemoved(place: Double) {
    var tree = RowTree(0..<5_000)
    var array = Array(0..<5_000)
    while !array.isEmpty {
      let index = Int(Double(array.count - 1) * place)
      let (removed, expected) = (tree.remove(at: index), array.remove(at: index))
      #expect(removed == expected)
      if array.count.isMultiple(of: 97) { #expect(tree.brokenInvariant == nil && tree.elementsEqual(array)) }
    }
    #expect(tree.isEmpty && tree.first == nil && tree == RowTree([]))
    for number in 0..<200 { tree.insert(number, at: tree.count) }
    #expect(tree == RowTree(0..<200) && tree.brokenInvariant == nil)
  }

  @Test(arguments: [0, 1, 64, 65, 96, 97, 3_072, 4_096, 4_097, 200_000])
  func aTreeIsBuiltFromACollection(count: Int) {
    let tree = RowTree(0..<count)
    #expect(tree.brokenInvariant == nil)
    #expect(tree.count == count)
    #expect(tree.elementsEqual(0..<count))
    #expect(tree.indices == 0..<count)
    #expect(stride(from: 0, to: count, by: max(1, count / 50)).allSatisfy { tree[$0] == $0 })
  }

  /// A copy of a tree shares all nodes with the original, so a change may copy only the nodes on the path to
  /// the element.
  @Test func aChangeCopiesOnePath() {
    var tree = RowTree(0..<100_000)
    let copy = tree
    for index in 50_000..<50_010 { tree[index] = -1 }
    #expect(tree.nodes.subtracting(copy.nodes).count == 3, "a leaf, a branch and the root")
    let next = tree
    tree.insert(7, at: 50_001)
    #expect(tree.nodes.subtracting(next.nodes).count == 3)
    #expect(copy.elementsEqual(0..<100_000))
  }

  /// A change of a tree that shares no nodes must copy none.
  ///
  /// A copied node would have another identity, because the original still exists when the copy is made.
  @Test func anUnsharedTreeKeepsItsNodes() {
    var tree = RowTree(0..<100_000)
    let nodes = tree.nodes
    tree[50_000] = -1
    #expect(tree.nodes == nodes)
    tree.insert(-3, at: 30_000)
    #expect(tree.nodes == nodes)
    tree.remove(at: 30_000)
    #expect(tree.nodes == nodes)
  }
}
