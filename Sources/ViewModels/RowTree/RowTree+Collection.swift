// `RowTree` as a collection.

extension RowTree: RandomAccessCollection, MutableCollection {
  /// The position of the first element: 0.
  public var startIndex: Int { 0 }

  /// The position after the last element: `count`.
  public var endIndex: Int { count }

  /// The number of elements.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { elementCount }

  /// The element at an index.
  ///
  /// It is changed in place, without a copy of it.
  ///
  /// - Parameter index: The index of an element; anything else traps.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(index: Int) -> Element {
    get {
      checkElement(index)
      // Sound: the tree can't be changed while it is read.
      return unsafe address(of: index).pointee
    }
    _modify {
      checkElement(index)
      // Sound: no other code can use the tree until the access ends.
      yield unsafe &uniqueAddress(of: index).pointee
    }
  }

  /// Makes an iterator over the elements in order.
  ///
  /// - Complexity: O(1); O(log *n*) for each leaf, which is O(*n*) for all elements.
  @inlinable
  public func makeIterator() -> Iterator {
    Iterator(self)
  }

  /// An iterator over the elements that a row tree had when the iterator was made.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let tree: RowTree
    /// The current leaf.
    @usableFromInline var leaf: RowTreeNode<Element>
    /// The next element's offset in the leaf.
    @usableFromInline var offset: Int
    /// The number of elements in the leaf.
    @usableFromInline var size: Int
    /// The number of elements up to the end of the leaf.
    @usableFromInline var end: Int

    @inlinable
    init(_ tree: RowTree) {
      self.init(tree, from: 0)
    }

    /// - Parameter index: The index of the first element to give; of an empty tree, 0.
    @inlinable
    init(_ tree: RowTree, from index: Int) {
      self.tree = tree
      var offset = index
      leaf = tree.leaf(of: &offset)
      self.offset = offset
      size = unsafe leaf.elements.count
      end = index - offset + size
    }

    /// The next element; `nil` after the last one.
    @inlinable
    public mutating func next() -> Element? {
      if offset == size {
        guard end < tree.count else { return nil }
        enterNextLeaf()
      }
      defer { offset += 1 }
      return unsafe leaf.elements[offset]
    }

    @inlinable
    mutating func enterNextLeaf() {
      offset = end
      leaf = tree.leaf(of: &offset)
      size = unsafe leaf.elements.count
      end += size
    }

    /// Skips leaves that both iterators are about to enter, while they are the same leaf.
    ///
    /// - Returns: How many elements each has skipped.
    package mutating func skipLeaves(sharedWith other: inout Iterator) -> Int {
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
