/// A list whose copies cost nothing, and share memory until one of them is changed.
///
/// ```swift
/// var rows = RowTree(["a", "b"])
/// let before = rows                   // O(1)
/// rows.insert("c", at: 1)             // copies the nodes on one path; `before` keeps a, b
/// ```
///
/// The list is a tree of nodes with 32 to 64 elements or children each (the root may have fewer), and all
/// leaves have the same depth. A change copies the nodes between the root and one leaf that another list
/// shares, so an edit beside a snapshot copies a few kilobytes, however long the list is.
///
/// - **Threads**: several threads may read copies of one list, and each may change its own copy.
/// - **Misuse that traps**: an index out of range.
public struct RowTree<Element: Sendable>: Sendable {
  var root: RowTreeNode<Element>
  /// The number of elements.
  ///
  /// - Complexity: O(1).
  public private(set) var count: Int

  /// Creates a list with the elements of a sequence.
  ///
  /// - Parameter elements: The elements, in order.
  /// - Complexity: O(*n*).
  public init(_ elements: some Sequence<Element>) {
    let elements = Array(elements)
    count = elements.count
    var level = Self.parts(of: elements).map { RowTreeNode(elements: Array($0)) }
    while level.count > 1 {
      let children = level.map { RowTreeNode.Child($0) }
      level = Self.parts(of: children).map { RowTreeNode(children: Array($0)) }
    }
    root = level[0]
  }

  /// Divides items into nodes of almost equal size, three quarters full, so that the next insertions fit in.
  private static func parts<Item>(of items: [Item]) -> [ArraySlice<Item>] {
    let capacity = RowTreeNode<Element>.capacity
    let count = items.count <= capacity ? 1 : (items.count * 4 + capacity * 3 - 1) / (capacity * 3)
    return (0..<count).map { items[items.count * $0 / count..<items.count * ($0 + 1) / count] }
  }

  // MARK: Changing

  /// Inserts an element.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - index: Its index afterwards, at most `count`; anything else traps.
  /// - Complexity: O(log *n*).
  public mutating func insert(_ element: Element, at index: Int) {
    check(index, below: count + 1)
    makeRootUnique()
    count += 1
    if let sibling = root.insert(element, at: index) {
      root = RowTreeNode(children: [RowTreeNode.Child(root), sibling])
    }
  }

  /// Removes an element.
  ///
  /// - Parameter index: The index of an element; anything else traps.
  /// - Returns: The removed element.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    check(index, below: count)
    makeRootUnique()
    count -= 1
    let removed = root.remove(at: index)
    if root.children.count == 1 { root = root.children[0].node }
    return removed
  }

  private mutating func makeRootUnique() {
    if !isKnownUniquelyReferenced(&root) { root = root.copy() }
  }

  private func check(_ index: Int, below limit: Int) {
    if (0..<limit).contains(index) { return }
    misuse("RowTree", "index \(index) of a list of \(count)", "compare with count first")
  }
}

extension RowTree: RandomAccessCollection, MutableCollection {
  /// The position of the first element: 0.
  public var startIndex: Int { 0 }

  /// The position after the last element: `count`.
  public var endIndex: Int { count }

  /// The element at an index.
  ///
  /// - Parameter index: The index of an element; anything else traps.
  /// - Complexity: O(log *n*).
  public subscript(index: Int) -> Element {
    get {
      check(index, below: count)
      let (leaf, offset) = root.leaf(at: index)
      return leaf.elements[offset]
    }
    _modify {
      check(index, below: count)
      makeRootUnique()
      let (leaf, offset) = root.uniqueLeaf(at: index)
      yield &leaf.elements[offset]
    }
  }

  /// Creates an iterator over the elements in order.
  ///
  /// - Complexity: O(1) for this call, and O(*n*) to read all elements.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// An iterator over the elements that a list had when the iterator was created.
  public struct Iterator: IteratorProtocol {
    private let rows: RowTree
    private var end = 0
    private var leaf: ArraySlice<Element> = []

    init(_ rows: RowTree) { self.rows = rows }

    /// The next element; `nil` after the last one.
    public mutating func next() -> Element? {
      if leaf.isEmpty {
        guard end < rows.count else { return nil }
        leaf = rows.root.leaf(at: end).leaf.elements[...]
        end += leaf.count
      }
      return leaf.popFirst()
    }
  }
}

extension RowTree: Equatable where Element: Equatable {
  /// Whether two lists have equal elements in the same order.
  ///
  /// - Complexity: O(*n*); O(1) for copies that were not changed.
  public static func == (left: RowTree, right: RowTree) -> Bool {
    left.root === right.root || left.count == right.count && left.elementsEqual(right)
  }
}
