#if DeadlockDetection
  internal import LockSupport

  /// An edge of the graph: a thread acquired `lockTo` while it held `lockFrom`.
  ///
  /// If `lockFrom` is a predicate, the thread held `lockTo` in a write section that can make the predicate
  /// true.
  final class LockEdge {
    /// The lock that was held; `lockTo` is the lock that was acquired.
    let lockFrom: LockID
    let lockTo: LockID
    /// The nodes of `lockFrom` and `lockTo` in the graph (see `Detector.State.nodeID(_:)`).
    let from: LockID
    let to: LockID
    let fromMode: LockMode
    let toMode: LockMode
    /// All locks that the thread held, including `lockFrom`; empty if `lockFrom` is a predicate.
    let held: [(id: LockID, mode: LockMode)]
    let party: Party
    let stack: LockStack
    /// The address of the stack frame that acquired `lockFrom`.
    let fromFrame: UInt
    /// The stack with which a task acquired `lockFrom`; `nil` if `stack` contains the acquisition.
    let fromStack: LockStack?

    init(
      from: LockID, to: LockID, nodes: LockID.Pair, fromMode: LockMode, toMode: LockMode,
      held: [(id: LockID, mode: LockMode)], party: Party, stack: LockStack, fromFrame: UInt,
      fromStack: LockStack? = nil
    ) {
      lockFrom = from
      lockTo = to
      self.from = nodes.from
      self.to = nodes.to
      self.fromMode = fromMode
      self.toMode = toMode
      self.held = held
      self.party = party
      self.stack = stack
      self.fromFrame = fromFrame
      self.fromStack = fromStack
    }

    /// Whether an edge with these modes and held locks is redundant beside this edge.
    ///
    /// It is redundant if this edge's modes are at least as exclusive, and `held` contains all locks of this
    /// edge in modes that are at least as exclusive. Every deadlock with the redundant edge is then also one
    /// with this edge.
    func covers(_ fromMode: LockMode, _ toMode: LockMode, _ held: [(id: LockID, mode: LockMode)]) -> Bool {
      fromMode <= self.fromMode && toMode <= self.toMode
        && self.held.allSatisfy { mine in held.contains { $0.id == mine.id && $0.mode >= mine.mode } }
    }

    /// Whether two threads can't be at both edges at the same time, because both hold a common lock, and at
    /// least one holds it for writing.
    func excludes(_ other: LockEdge) -> Bool {
      held.contains { mine in
        other.held.contains { $0.id == mine.id && ($0.mode == .write || mine.mode == .write) }
      }
    }
  }

  /// The order in which threads acquire locks, as edges from a held lock to the lock that is acquired.
  ///
  /// A cycle is a possible deadlock if different threads can wait at all its edges at the same time. They
  /// can't if two of the threads hold a common lock, and at least one holds it for writing. They also can't
  /// if one edge acquires a lock for reading, the next edge holds that lock for reading, and no thread ever
  /// acquires it for writing.
  struct LockGraph {
    struct Node {
      var successors: [LockID: [LockEdge]] = [:]
      var predecessors: Set<LockID> = []
      var isWritten = false
      /// For a predicate, the nodes of the locks that were held by every thread that could make the predicate
      /// true; `nil` before the first such thread.
      var writerLocks: Set<LockID>?
      /// `nil` before the node's first edge.
      var component: Component?
    }

    var nodes: [LockID: Node] = [:]
    /// All ranks of components are in this range.
    var ranks = 0..<1
    private(set) var edgeCount = 0

    // The maximum number of edges from one node to another, which differ in their modes or in the held locks.
    // Further edges are dropped, so the detector may miss a deadlock.
    private static let edgesPerPair = 8
    private static let longestCycle = 12
    private static let longestSearch = 20_000

    /// Records that the lock `id` is acquired for writing; returns whether this is the first time.
    @discardableResult
    mutating func noteWriter(_ id: LockID) -> Bool {
      if nodes[id]?.isWritten ?? false { return false }
      nodes[id, default: Node()].isWritten = true
      return true
    }

    /// Records that a thread that holds `locks` can make the predicate `id` true.
    ///
    /// A thread that waits for the predicate needs only one such thread. It therefore depends only on locks
    /// that all such threads hold. Edges from the predicate to locks outside this set are removed.
    ///
    /// - Returns: The locks that this thread and all earlier such threads held.
    mutating func keepWriterLocks(_ locks: Set<LockID>, of id: LockID) -> Set<LockID> {
      let before = nodes[id]?.writerLocks
      let common = before?.intersection(locks) ?? locks
      nodes[id, default: Node()].writerLocks = common
      for lock in (before ?? []).subtracting(common) {
        edgeCount -= nodes[id]?.successors.removeValue(forKey: lock)?.count ?? 0
        nodes[lock]?.predecessors.remove(id)
      }
      return common
    }

    func edges(from: LockID, to: LockID) -> [LockEdge] { nodes[from]?.successors[to] ?? [] }

    /// Whether an edge between `nodes` with these modes and held locks would be redundant, because the graph
    /// has an edge that covers it.
    func has(
      _ nodes: LockID.Pair, _ fromMode: LockMode, _ toMode: LockMode, _ held: [(id: LockID, mode: LockMode)]
    ) -> Bool {
      edges(from: nodes.from, to: nodes.to).contains { $0.covers(fromMode, toMode, held) }
    }

    /// Adds an edge, and removes those that it makes redundant.
    ///
    /// Returns `false` if there are already `edgesPerPair` other edges between its nodes; the edge is then
    /// dropped.
    mutating func insert(_ edge: LockEdge) -> Bool {
      var edges = nodes[edge.from]?.successors[edge.to] ?? []
      if edges.isEmpty { arrange(edge.from, before: edge.to) }
      edges.removeAll { edge.covers($0.fromMode, $0.toMode, $0.held) }
      guard edges.count < Self.edgesPerPair else { return false }
      edgeCount += 1 + edges.count - (nodes[edge.from]?.successors[edge.to]?.count ?? 0)
      edges.append(edge)
      nodes[edge.from, default: Node()].successors[edge.to] = edges
      nodes[edge.to, default: Node()].predecessors.insert(edge.from)
      return true
    }

    /// Removes the node of a deallocated lock, and all its edges.
    mutating func remove(_ id: LockID) {
      guard let node = nodes.removeValue(forKey: id) else { return }
      leave(node.component, id)
      for (successor, edges) in node.successors {
        edgeCount -= edges.count
        nodes[successor]?.predecessors.remove(id)
      }
      for predecessor in node.predecessors where predecessor != id {
        edgeCount -= nodes[predecessor]?.successors.removeValue(forKey: id)?.count ?? 0
      }
    }

    /// Removes all edges, and all nodes except those whose `isWritten` is `true` or whose `writerLocks` is
    /// empty.
    ///
    /// These two facts must be kept, because a `LockNode` reports each of them only once.
    mutating func removeEdges() {
      edgeCount = 0
      nodes = nodes.filter { $0.value.isWritten || $0.value.writerLocks == [] }
        .mapValues { Node(isWritten: $0.isWritten, writerLocks: $0.writerLocks == [] ? [] : nil) }
    }

    // MARK: Cycles

    /// If `edge` closes a cycle that is a possible deadlock, appends the shortest such cycle to `found`.
    ///
    /// - Parameter ofClasses: Whether the nodes of this graph are classes of locks instead of locks.
    func report(closedBy edge: LockEdge, ofClasses: Bool = false, _ found: inout [Finding]) {
      if let cycle = shortestCycle(closedBy: edge) { found.append(.cycle(cycle, ofClasses: ofClasses)) }
    }

    /// The edges at which threads acquire the lock `id` for reading.
    func readingEdges(into id: LockID) -> [LockEdge] {
      (nodes[id]?.predecessors ?? []).flatMap { edges(from: $0, to: id) }.filter { $0.toMode == .read }
    }

    /// The shortest cycle that begins with `first` and is a possible deadlock; `nil` if the search finds
    /// none.
    ///
    /// The search gives up after `longestSearch` steps. It tries cycles of at most `longestCycle` edges, or
    /// only the shortest cycles if even those are longer.
    func shortestCycle(closedBy first: LockEdge) -> [LockEdge]? {
      guard nodes[first.from]?.component === nodes[first.to]?.component else { return nil }
      // Tries the shortest cycles first, for which the distances of the nearest nodes suffice. Usually one of
      // these cycles is a possible deadlock.
      var distances = distances(to: first.from, until: first.to)
      guard let distance = distances[first.to] else { return nil }
      var stepsLeft = Self.longestSearch
      for length in stride(from: distance + 1, through: max(Self.longestCycle, distance + 1), by: 1) {
        var path = [first]
        if complete(&path, length: length, distances, &stepsLeft) { return path }
        if stepsLeft == 0 { return nil }
        if length == distance + 1 { distances = self.distances(to: first.from, until: nil) }
      }
      return nil
    }

    /// The length, in edges, of the shortest path from each node to `target`.
    ///
    /// Only nodes in the component of `target` that have such a path are in the result.
    ///
    /// - Parameter end: The search stops when it has reached this node, so nodes that are farther away are
    ///   missing from the result; `nil` to find all distances.
    private func distances(to target: LockID, until end: LockID?) -> [LockID: Int] {
      let component = nodes[target]?.component
      var distances = [target: 0]
      var layer = [target]
      while !layer.isEmpty, end.map({ distances[$0] == nil }) ?? true {
        var next: [LockID] = []
        for id in layer {
          for predecessor in nodes[id]?.predecessors ?? []
          where distances[predecessor] == nil && nodes[predecessor]?.component === component {
            distances[predecessor] = distances[id]! + 1
            next.append(predecessor)
          }
        }
        layer = next
      }
      return distances
    }

    /// Extends `path` to a cycle of `length` edges that is a possible deadlock; returns whether one was
    /// found.
    ///
    /// - Parameters:
    ///   - distances: The distances of nodes to the first node of `path`. Other nodes are not visited.
    ///   - stepsLeft: The number of edges that the search may still add before it gives up; is decremented.
    private func complete(
      _ path: inout [LockEdge], length: Int, _ distances: [LockID: Int], _ stepsLeft: inout Int
    ) -> Bool {
      guard stepsLeft > 0 else { return false }
      stepsLeft -= 1
      let last = path[path.count - 1]
      if last.to == path[0].from { return path.count == length && isContended(last, path[0]) }
      guard let node = nodes[last.to] else { return false }
      for (successor, edges) in node.successors {
        guard let distance = distances[successor], path.count + 1 + distance <= length else { continue }
        if successor != path[0].from, path.contains(where: { $0.from == successor || $0.to == successor }) {
          continue
        }
        for edge in edges where isContended(last, edge) && !path.contains(where: edge.excludes) {
          path.append(edge)
          if complete(&path, length: length, distances, &stepsLeft) { return true }
          path.removeLast()
        }
      }
      return false
    }

    /// Whether the thread at `first` may have to wait for its lock while the thread at `second` holds it.
    ///
    /// A reader may have to wait for another reader only if some thread acquires the lock for writing.
    private func isContended(_ first: LockEdge, _ second: LockEdge) -> Bool {
      guard let node = nodes[first.to] else { return false }
      return first.toMode == .write || second.fromMode == .write || node.isWritten
    }
  }
#endif
