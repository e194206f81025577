#if DeadlockDetection
  package import InterlockCore

  /// An edge of the graph: a thread acquired `lockTo` while it held `lockFrom`.
  ///
  /// If `lockFrom` is a predicate, the thread held `lockTo` in a write section that can make the predicate
  /// true.
  struct LockEdge {
    /// The lock that was held.
    let lock: HeldLock
    /// The lock that was acquired.
    let lockTo: LockID
    let toMode: LockMode
    /// The nodes of the graph that the edge connects: those of the two locks, or those of their classes.
    let from: LockID
    let to: LockID
    /// The nodes of all locks that the thread held, including `from`; empty if `lock` is a predicate.
    let held: [(id: LockID, mode: LockMode)]
    let party: Party
    let stack: LockStack

    var lockFrom: LockID { lock.id }
    var fromMode: LockMode { lock.mode }

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
  /// The nodes are locks and, apart from these, classes of locks. A class is all locks that one source line
  /// makes.
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
    }

    private(set) var nodes: [LockID: Node] = [:]

    // The maximum number of edges from one node to another, which differ in their modes or in the held locks.
    // Further edges are dropped, so the detector may miss a deadlock.
    private static let edgesPerPair = 8
    private static let longestCycle = 12
    private static let longestSearch = 20_000

    /// Records that the lock `id`, or a lock of that class, is acquired for writing; returns whether this is
    /// the first time.
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
        nodes[id]?.successors[lock] = nil
        nodes[lock]?.predecessors.remove(id)
      }
      return common
    }

    func edges(from: LockID, to: LockID) -> [LockEdge] { nodes[from]?.successors[to] ?? [] }

    /// Whether an edge between these nodes with these modes and held locks would be redundant, because the graph
    /// has an edge that covers it.
    func has(
      from: LockID, to: LockID, _ fromMode: LockMode, _ toMode: LockMode,
      _ held: [(id: LockID, mode: LockMode)]
    ) -> Bool {
      edges(from: from, to: to).contains { $0.covers(fromMode, toMode, held) }
    }

    /// Adds an edge, and removes those that it makes redundant.
    ///
    /// Returns `false` if there are already `edgesPerPair` other edges between its nodes; the edge is then
    /// dropped.
    mutating func insert(_ edge: LockEdge) -> Bool {
      var edges = nodes[edge.from]?.successors[edge.to] ?? []
      edges.removeAll { edge.covers($0.fromMode, $0.toMode, $0.held) }
      guard edges.count < Self.edgesPerPair else { return false }
      edges.append(edge)
      nodes[edge.from, default: Node()].successors[edge.to] = edges
      nodes[edge.to, default: Node()].predecessors.insert(edge.from)
      return true
    }

    /// Removes the node of a deallocated lock, and all its edges.
    mutating func remove(_ id: LockID) {
      guard let node = nodes.removeValue(forKey: id) else { return }
      for successor in node.successors.keys { nodes[successor]?.predecessors.remove(id) }
      for predecessor in node.predecessors { nodes[predecessor]?.successors[id] = nil }
    }

    /// Removes all edges, and all nodes except those whose `isWritten` is `true` or whose `writerLocks` is
    /// empty.
    ///
    /// These two facts must be kept, because a `Probe` reports each of them only once.
    mutating func removeEdges(ofClassesAlone: Bool = false) {
      for (id, node) in nodes where id.isOfClass || !ofClassesAlone {
        let isFree = node.writerLocks == []
        nodes[id] =
          node.isWritten || isFree ? Node(isWritten: node.isWritten, writerLocks: isFree ? [] : nil) : nil
      }
    }

    /// The numbers of locks, and of edges between them.
    var counts: (locks: Int, pairs: Int) {
      let locks = nodes.filter { !$0.key.isOfClass }
      return (locks.count, locks.reduce(0) { $1.value.successors.values.reduce($0) { $0 + $1.count } })
    }

    // MARK: Cycles

    /// If `edge` closes a cycle that is a possible deadlock, appends the shortest such cycle to `found`.
    func report(closedBy edge: LockEdge, _ found: inout [Finding]) {
      if let cycle = shortestCycle(closedBy: edge) { found.append(.cycle(cycle)) }
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
      let distances = distances(to: first.from)
      guard let distance = distances[first.to] else { return nil }
      var stepsLeft = Self.longestSearch
      for length in stride(from: distance + 1, through: max(Self.longestCycle, distance + 1), by: 1) {
        var path = [first]
        if complete(&path, length: length, distances, &stepsLeft) { return path }
        if stepsLeft == 0 { return nil }
      }
      return nil
    }

    /// The length, in edges, of the shortest path from each node to `target`.
    ///
    /// Only nodes that have such a path are in the result.
    private func distances(to target: LockID) -> [LockID: Int] {
      var distances = [target: 0]
      var layer = [target]
      while !layer.isEmpty {
        var next: [LockID] = []
        for id in layer {
          for predecessor in nodes[id]?.predecessors ?? [] where distances[predecessor] == nil {
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

  extension LockMode: Comparable {
    package static func < (first: LockMode, second: LockMode) -> Bool { first.rawValue < second.rawValue }
  }
#endif
