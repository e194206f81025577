// `RowTree` as a collection.

extension RowTree: RandomAccessCollection, MutableCollection {
  /// The position of the first element: 0.
  public var startIndex: Int { 0 }

  /// The position after the last element: `count`.
  public var endIndex: Int { count }

  /// The number of elements.
  ///
  /// - Complexity: O(1).
  @_alwaysEmitIntoClient
  public var count: Int { elementCount }

  /// The element at an index.
  ///
  /// Writing changes the element in place. Nodes on the path from the root to the element are copied first if
  /// another tree shares them.
  ///
  /// - Parameter index: The index of an element; anything else traps.
  /// - Complexity: O(log *n*).
  @_alwaysEmitIntoClient
  public subscript(index: Int) -> Element {
    get {
      checkElement(index)
      // Sound: the index is checked, and the tree keeps the node alive and can't be changed during this read.
      return unsafe address(of: index).pointee
    }
    _modify {
      checkElement(index)
      // Sound: the index is checked, no other tree shares the leaf, and no other code can use this tree until
      // the access ends.
      yield unsafe &uniqueAddress(of: index).pointee
    }
  }

  /// Makes an iterator over the elements in order.
  ///
  /// - Complexity: O(1) for this call, and O(*n*) to read all elements.
  @_alwaysEmitIntoClient
  public func makeIterator() -> Iterator {
    Iterator(self)
  }

  /// An iterator over the elements that a row tree had when the iterator was made.
  @frozen
  public struct Iterator: IteratorProtocol {
    @usableFromInline let tree: RowTree
    /// The current leaf.
    @usableFromInline var leaf: RowTreeNode<Element>
    /// The next element's offset in the current leaf.
    @usableFromInline var offset: Int
    /// The number of elements in the current leaf.
    @usableFromInline var size: Int
    /// The index in the tree of the element after the current leaf; `count` in the last leaf.
    @usableFromInline var end: Int

    @_alwaysEmitIntoClient
    init(_ tree: RowTree) {
      self.tree = tree
      var offset = 0
      leaf = tree.leaf(of: &offset)
      self.offset = offset
      size = unsafe leaf.elements.count
      end = size
    }

    /// The next element; `nil` after the last one.
    @_alwaysEmitIntoClient
    public mutating func next() -> Element? {
      if offset == size {
        guard end < tree.count else { return nil }
        enterNextLeaf()
      }
      defer { offset += 1 }
      return unsafe leaf.elements[offset]
    }

    @_alwaysEmitIntoClient
    mutating func enterNextLeaf() {
      offset = end
      leaf = tree.leaf(of: &offset)
      size = unsafe leaf.elements.count
      end += size
    }

    /// Skips whole leaves, as long as the next leaf of this iterator and that of `other` are the same object.
    ///
    /// A comparison of two snapshots calls this function to skip the leaves that they share, without
    /// comparing elements. Skips only while both iterators are at the end of a leaf, so it never skips the
    /// first leaf.
    ///
    /// - Parameter other: An iterator over another tree. It skips the same leaves.
    /// - Returns: The number of elements that each iterator has skipped.
    /// - Complexity: O(log *n*) for each leaf that is skipped.
    @_alwaysEmitIntoClient
    public mutating func skipLeaves(sharedWith other: inout Iterator) -> Int {
      var skipped = 0
      while offset == size, other.offset == other.size,
        end < tree.count, other.end < other.tree.count
      {
        var (copy, otherCopy) = (self, other)
        copy.enterNextLeaf()
        otherCopy.enterNextLeaf()
        guard copy.leaf.storage.object === otherCopy.leaf.storage.object else { break }
        skipped += copy.size
        copy.offset = copy.size
        otherCopy.offset = otherCopy.size
        (self, other) = (copy, otherCopy)
      }
      return skipped
    }
  }
}

extension RowTree {
  /// Calls `body` with the elements of a range in order, without copying them.
  ///
  /// - Parameters:
  ///   - range: Indices of elements; an index out of bounds traps when it is reached.
  ///   - body: Called with each element and its index; returns whether to continue.
  /// - Complexity: O(*k*) for *k* elements, plus O(log *n*) for each leaf that contains some of them.
  @_alwaysEmitIntoClient
  public func visit(_ range: Range<Int>, _ body: (_ index: Int, _ element: borrowing Element) -> Bool) {
    var index = range.lowerBound
    while index < range.upperBound {
      checkElement(index)
      var offset = index
      let leaf = leaf(of: &offset)
      let end = unsafe Swift.min(leaf.elements.count, offset + range.upperBound - index)
      while offset < end {
        // Sound: no code can change the tree while it is read, and `leaf` keeps the node alive.
        guard unsafe body(index, leaf.elements[offset]) else { return }
        offset += 1
        index += 1
      }
    }
  }
}

extension RowTree: ExpressibleByArrayLiteral {
  /// Makes a list from a literal.
  ///
  /// - Parameter elements: The elements, in order.
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension RowTree: Equatable where Element: Equatable {
  /// Whether two lists have equal elements in the same order.
  ///
  /// - Complexity: O(1) for a tree and an unchanged copy of it, O(*n*) otherwise.
  public static func == (left: RowTree, right: RowTree) -> Bool {
    left.count == right.count
      && (left.root.storage.object === right.root.storage.object || left.elementsEqual(right))
  }
}

extension RowTree: CustomStringConvertible {
  /// The description of an array with the same elements.
  public var description: String { Array(self).description }
}
