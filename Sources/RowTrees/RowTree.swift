internal import LockSupport

/// A list whose copies are immutable snapshots that cost O(1): a B+tree with copy-on-write nodes.
///
/// ```swift
/// var rows = RowTree(["Ann", "Bob"])
/// let snapshot = rows                  // O(1): both share all nodes
/// rows.insert("Cleo", at: 1)           // O(log n), even now: copies one path of nodes
/// rows[0] += " Smith"
/// // `snapshot` is ["Ann", "Bob"] for ever
/// ```
///
/// Changing an array while a copy of it is alive copies the whole array. This list copies only nodes on the
/// path from the root to the element, and only if another copy shares them. Between two snapshots, further
/// changes to the same nodes happen in place.
///
/// - **Structure**: a leaf contains elements. A branch contains children, each with the number of elements
///   below it. A node has 32 to 64 elements or children; the root may have fewer. (Bayer, McCreight:
///   "Organization and maintenance of large ordered indexes", 1972. Here counts replace the keys.)
/// - **Invariants**: all leaves have the same depth. A node that two trees share is never changed. Each count
///   is the number of elements below. A root that is a branch has at least two children.
/// - **Threads**: a `RowTree` is a value, like an array, and `Sendable` if its elements are. Copies may be
///   read and changed on different threads at the same time.
/// - **Memory**: a copy takes no memory. A change after a copy copies one leaf and, for each level above it,
///   one branch of about 1 KiB.
/// - **Traps**: an index out of bounds.
@frozen
public struct RowTree<Element> {
  @usableFromInline var root: RowTreeNode<Element>
  /// The number of levels above the leaves.
  @usableFromInline var height: Int

  @usableFromInline var elementCount: Int

  /// Makes an empty list.
  @_alwaysEmitIntoClient
  public init() {
    root = RowTreeNode(elements: [])
    height = 0
    elementCount = 0
  }

  /// Makes a list of the given elements.
  ///
  /// - Parameter elements: The elements, in order. A collection that shrinks while it is copied traps.
  /// - Complexity: O(*n*).
  @_alwaysEmitIntoClient
  public init(_ elements: some Sequence<Element>) {
    // The elements are copied first: the code below reads their number several times, and an arbitrary
    // collection may change its count between two reads.
    let elements = Array(elements)
    guard elements.count > RowTreeNode<Element>.capacity else {
      root = RowTreeNode(elements: elements[...])
      height = 0
      elementCount = elements.count
      return
    }
    var level = Self.chunks(of: elements).map {
      RowTreeNode<Element>.Child(node: RowTreeNode(elements: $0), count: $0.count)
    }
    height = 1
    while level.count > RowTreeNode<Element>.capacity {
      level = Self.chunks(of: level).map { children in
        RowTreeNode<Element>.Child(
          node: RowTreeNode(children: children), count: children.reduce(0) { $0 + $1.count })
      }
      height += 1
    }
    root = RowTreeNode(children: level[...])
    elementCount = elements.count
  }

  /// Divides items into one slice per node.
  ///
  /// The caller must pass more items than fit into one node. Each slice fills about three quarters of a node,
  /// and has at least `RowTreeNode.minimum` items.
  @_alwaysEmitIntoClient
  static func chunks<Item>(of items: [Item]) -> [ArraySlice<Item>] {
    let size = RowTreeNode<Element>.capacity / 4 * 3
    let number = (items.count + size - 1) / size
    return (0..<number).map { items[items.count * $0 / number..<items.count * ($0 + 1) / number] }
  }

  // MARK: Changing

  /// Inserts an element.
  ///
  /// The elements from `index` on move up by one.
  ///
  /// - Parameters:
  ///   - element: The new element.
  ///   - index: The index of the new element, from 0 to `count`; anything else traps.
  /// - Complexity: O(log *n*).
  @_alwaysEmitIntoClient
  public mutating func insert(_ element: consuming Element, at index: Int) {
    if index < 0 || index > count { Self.trapOutOfBounds("an insertion at \(index)", count) }
    if let sibling = root.insert(element, at: index, height: height) {
      let left = RowTreeNode<Element>.Child(node: root, count: count + 1 - sibling.count)
      root = RowTreeNode(children: [left, sibling])
      height += 1
    }
    elementCount += 1
  }

  /// Appends an element.
  ///
  /// - Parameter element: The new element.
  /// - Complexity: O(log *n*).
  @_alwaysEmitIntoClient
  public mutating func append(_ element: Element) {
    insert(element, at: count)
  }

  /// Removes an element.
  ///
  /// The elements after it move down by one.
  ///
  /// - Parameter index: The index of an element; anything else traps.
  /// - Returns: The removed element.
  /// - Complexity: O(log *n*).
  @_alwaysEmitIntoClient
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    checkElement(index)
    let removed = root.remove(at: index, height: height)
    elementCount -= 1
    while height > 0, unsafe root.children.count == 1 {
      root = unsafe root.children[0].node
      height -= 1
    }
    return removed
  }

  /// Replaces an element by another one.
  ///
  /// - Parameters:
  ///   - index: The index of an element; anything else traps.
  ///   - element: The new element.
  /// - Returns: The old element.
  /// - Complexity: O(log *n*).
  @_alwaysEmitIntoClient
  @discardableResult
  public mutating func replace(at index: Int, with element: Element) -> Element {
    checkElement(index)
    var element = element
    swap(&self[index], &element)
    return element
  }

  // MARK: Nodes

  /// The address of an element, valid until the tree is changed or deallocated.
  ///
  /// The caller must have checked the index.
  @_alwaysEmitIntoClient
  func address(of index: Int) -> UnsafeMutablePointer<Element> {
    guard height > 0 else { return unsafe root.elements.first + index }
    var offset = index
    var children = unsafe root.children
    for _ in 1..<height { unsafe children = children[children.slot(of: &offset)].node.children }
    let slot = unsafe children.slot(of: &offset)
    return unsafe children[slot].node.elements.first + offset
  }

  /// The address of an element, for writing; valid until the tree is changed, copied or deallocated.
  ///
  /// Nodes on the path from the root to the element are copied first if another tree shares them. The caller
  /// must have checked the index.
  @_alwaysEmitIntoClient
  mutating func uniqueAddress(of index: Int) -> UnsafeMutablePointer<Element> {
    root.makeUnique(height: height)
    guard height > 0 else { return unsafe root.elements.first + index }
    var offset = index
    var children = unsafe root.children
    var below = height - 1
    while true {
      let slot = unsafe children.slot(of: &offset)
      unsafe children[slot].node.makeUnique(height: below)
      if below == 0 { return unsafe children[slot].node.elements.first + offset }
      unsafe children = children[slot].node.children
      below -= 1
    }
  }

  /// The leaf that contains the element at `offset`.
  ///
  /// `offset` must be the element's index in the tree. On return, it is the element's offset in the leaf.
  @_alwaysEmitIntoClient
  func leaf(of offset: inout Int) -> RowTreeNode<Element> {
    var node = root
    for _ in 0..<height { node = unsafe node.children[node.children.slot(of: &offset)].node }
    return node
  }

  /// The approximate memory, in bytes, that a change allocates if a copy shares all nodes.
  ///
  /// A snapshot keeps about this much memory alive for each later change. A change that splits or merges
  /// nodes allocates more.
  ///
  /// - Complexity: O(1).
  @_alwaysEmitIntoClient
  public var bytesOfPath: Int {
    // An estimate, in bytes, of a node's object header and the allocator's overhead.
    let header = 64
    let room = RowTreeNode<Element>.room
    return room * MemoryLayout<Element>.stride + header
      + height * (room * MemoryLayout<RowTreeNode<Element>.Child>.stride + header)
  }

  // MARK: Traps

  @_alwaysEmitIntoClient
  func checkElement(_ index: Int) {
    if index < 0 || index >= count { Self.trapOutOfBounds("index \(index)", count) }
  }

  @usableFromInline
  @inline(never)
  static func trapOutOfBounds(_ what: String, _ count: Int) -> Never {
    misuse("RowTree", "\(what) of a list of \(count)", "compare with count first")
  }
}

// `@unchecked Sendable` is sound: copies on different threads share nodes, but a tree never changes a shared
// node. The node's reference count, which is atomic, shows whether another tree shares it.
extension RowTree: @unchecked Sendable where Element: Sendable {}
