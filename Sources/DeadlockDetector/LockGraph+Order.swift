#if DeadlockDetection
  // The order of the nodes, which bounds the search for cycles.
  //
  // A strongly connected component is a set of nodes with a path from each to each other one. Each component
  // has a rank, and each edge between two components leads to the higher rank. All nodes of a cycle are in
  // one component, so an edge between two components closes no cycle.
  //
  // When a new edge leads to a lower rank, the components between the two ranks are renumbered, as in the
  // algorithm of Pearce and Kelly. If the edge closes a cycle, the components of the cycle are merged.
  // Components are not split when edges are removed: one that is too large makes later searches slower, but
  // hides no cycle.

  extension LockGraph {
    final class Component {
      fileprivate var rank: Int
      fileprivate var members: Set<LockID>

      fileprivate init(_ rank: Int, _ member: LockID) {
        self.rank = rank
        members = [member]
      }
    }

    /// Updates the ranks and components for a new edge from node `from` to node `to`.
    mutating func arrange(_ from: LockID, before to: LockID) {
      // A node without a component has no other edges. A new `from` gets the lowest rank and a new `to` the
      // highest, so the new edge leads to the higher rank.
      let first = component(of: from, atEnd: false)
      let last = component(of: to, atEnd: true)
      if first === last || first.rank < last.rank { return }
      let after = reach(last) { node in
        node.successors.keys.map { $0 }
      } while: {
        $0.rank <= first.rank
      }
      let before = reach(first) { node in
        node.predecessors.map { $0 }
      } while: {
        $0.rank >= last.rank
      }
      let cycle = after.filter { before[$0.key] != nil }
      var parts = before.filter { cycle[$0.key] == nil }.values.sorted { $0.rank < $1.rank }
      let later = after.filter { cycle[$0.key] == nil }.values.sorted { $0.rank < $1.rank }
      let ranks = before.merging(after) { one, _ in one }.values.map { $0.rank }.sorted()
      if let merged = merge(cycle.values.map { $0 }) { parts.append(merged) }
      for (part, rank) in zip(parts, ranks) { part.rank = rank }
      for (part, rank) in zip(later.reversed(), ranks.reversed()) { part.rank = rank }
    }

    private mutating func component(of id: LockID, atEnd: Bool) -> Component {
      if let component = nodes[id]?.component { return component }
      let component = Component(atEnd ? ranks.upperBound : ranks.lowerBound, id)
      ranks = atEnd ? ranks.lowerBound..<ranks.upperBound + 1 : ranks.lowerBound - 1..<ranks.upperBound
      nodes[id, default: Node()].component = component
      return component
    }

    private func reach(
      _ start: Component, _ neighbours: (Node) -> [LockID], while isInside: (Component) -> Bool
    ) -> [ObjectIdentifier: Component] {
      var reached = [ObjectIdentifier(start): start]
      var open = [start]
      while let component = open.popLast() {
        for member in component.members {
          for id in nodes[member].map(neighbours) ?? [] {
            guard let next = nodes[id]?.component, isInside(next) else { continue }
            if reached.updateValue(next, forKey: ObjectIdentifier(next)) == nil { open.append(next) }
          }
        }
      }
      return reached
    }

    private mutating func merge(_ components: [Component]) -> Component? {
      guard let merged = components.max(by: { $0.members.count < $1.members.count }) else { return nil }
      for component in components where component !== merged {
        for member in component.members { nodes[member]?.component = merged }
        merged.members.formUnion(component.members)
      }
      return merged
    }

    func leave(_ component: Component?, _ id: LockID) { component?.members.remove(id) }
  }
#endif
