#if DeadlockDetection
  internal import InterlockCore

  /// A problem that the detector found while it held its mutex.
  ///
  /// `Reports` makes a report of the finding after the mutex is released, because finding the source lines
  /// takes long.
  struct Finding {
    let kind: DeadlockReport.Kind
    let locks: [LockID]
    /// The places in the code where the problem shows, by which `Reports` recognizes repetitions; empty if
    /// every finding of this kind must be reported.
    let sites: () -> Set<Site>
    let text: () -> String

    /// A place in the code where a problem shows.
    ///
    /// For an edge of the graph, `parts` has the index of each lock's class, and a hash of the return address
    /// of each acquisition.
    struct Site: Hashable {
      let kind: DeadlockReport.Kind
      let parts: [Int]
    }

    // MARK: Kinds of findings

    /// A possible deadlock: the threads at the edges of `cycle` can wait for one another.
    static func cycle(_ cycle: [LockEdge]) -> Finding {
      let locks = cycle.map { $0.lockFrom }
      return Finding(kind: .possible, locks: locks) {
        Set(cycle.map { $0.site(.possible) })
      } text: {
        let parties = Party.plural(cycle.map { $0.party })
        var text = "Interlock: deadlock possible: \(cycle.count) \(parties) can wait for one another\n"
        if cycle[0].from.isOfClass {
          text += "  if these are the same locks: the detector expects one order of all that a line makes\n"
        }
        for edge in cycle { text += describe(edge) }
        return text + advice(for: locks)
      }
    }

    static func nested(
      in lock: HeldLock, _ mode: LockMode, _ party: Party, _ stack: LockStack
    ) -> Finding {
      let id = lock.id
      let edge = LockEdge(
        lock: lock, lockTo: id, toMode: mode, from: id, to: id, held: [], party: party, stack: stack)
      return Finding(kind: .possible, locks: [id]) {
        [edge.site(.possible)]
      } text: {
        let reason =
          if lock.mode == .write {
            "acquires again what it holds, and waits for itself"
          } else if mode == .read {
            "reads again in a read section, and waits forever if a writer waits in between"
          } else {
            "asks for the write lock in a read section, and waits for itself"
          }
        return "Interlock: deadlock possible: a thread \(reason)\n" + describe(edge)
          + "  Acquire the lock once, and pass what was read to the functions that need it.\n"
      }
    }

    static func call(
      _ call: StaticString, while held: [ThreadLocks.Held], _ party: Party, _ stack: LockStack
    ) -> Finding {
      let frame = held[0].frame
      return Finding(kind: .callWhileLocked, locks: held.map { $0.id }) {
        [Site(kind: .callWhileLocked, parts: held.map { $0.id.classIndex } + [stack.site()])]
      } text: {
        """
        Interlock: a call under a lock: \(call)
          while \(party.name) holds \(held.map { name($0.id) }.joined(separator: ", ")), acquired at
        \(list(stack.lines(heldFrom: frame)))
          The code that runs then may need the lock: release it first.

        """
      }
    }

    /// A wait that has lasted for longer than the wait limit.
    ///
    /// - Parameter others: All threads and tasks with locks, to be listed in the report (see
    ///   `Detector.State.parties`).
    static func longWait(
      of waiting: BlockedThreads.Thread, milliseconds: UInt64, others: [(party: Party, locks: [UInt64])]
    ) -> Finding {
      Finding(kind: .longWait, locks: [waiting.wanted]) {
        []
      } text: {
        let others = others.map { other in
          let locks = other.locks.map {
            ($0 & ThreadLocks.isPending == 0 ? "holds " : "waits for ") + name(LockID(bits: $0))
          }
          return "  \(other.party.name) \(locks.joined(separator: ", "))\n"
        }
        return """
          Interlock: a long wait: \(waiting.party.name) has waited \(milliseconds) ms for \(name(waiting.wanted)), at
          \(list(waiting.stack?.lines() ?? []))
          \(others.joined())
          """
      }
    }

    /// A deadlock: each thread or task in `cycle` waits for the next one, and the last one waits for the
    /// first.
    static func happened(_ cycle: [BlockedThreads.Thread]) -> Finding {
      let locks = cycle.map { $0.wanted }
      return Finding(kind: .happened, locks: locks) {
        // Identifies the deadlock by its locks, so that it is reported only once: some waits end every
        // millisecond and begin again, and would close the same cycle each time.
        [Site(kind: .happened, parts: Set(locks.map { Int(bitPattern: UInt($0.bits)) }).sorted())]
      } text: {
        let parties = Party.plural(cycle.map { $0.party })
        var text = "Interlock: deadlock: \(cycle.count) \(parties) wait for one another\n"
        for waiting in cycle {
          let held = waiting.held.map { name($0.id) }.joined(separator: ", ")
          text += """
              \(waiting.party.name) waits for \(name(waiting.wanted))\(held.isEmpty ? ", at" : "\n    and holds \(held), at")
            \(list(waiting.stack?.lines() ?? []))

            """
        }
        return text + advice(for: locks)
      }
    }

    // MARK: Texts

    /// The lock's name in reports, for example `UnfairLock "accounts" (#3, made at Bank.swift:12)`.
    static func name(_ id: LockID) -> String {
      let lockClass = LockClass.find(at: id.classIndex)
      return "\(lockClass.kind.name.text) \(lockClass.origin("#\(id.serial), "))"
    }

    private static func kind(_ id: LockID) -> PrimitiveKind { LockClass.find(at: id.classIndex).kind }

    private static func article(_ mode: LockMode, _ id: LockID) -> String {
      guard kind(id).has(.sharesReads) else { return "" }
      return mode == .read ? " for reading" : " for writing"
    }

    private static func advice(for locks: [LockID]) -> String {
      locks.contains { kind($0).has(.isPredicate) }
        ? "  Wait for the predicate without holding a lock that the writers need.\n"
        : "  Acquire these locks in one order everywhere, or release one before acquiring the other.\n"
    }

    /// Describes both locks of an edge, and where the thread acquired each of them.
    private static func describe(_ edge: LockEdge) -> String {
      if kind(edge.lockFrom).has(.isPredicate), edge.held.isEmpty {
        return """
            \(edge.party.name) held \(name(edge.lockTo)), acquired at
          \(list(edge.linesOfHeld))
              in the section that can make true the \(name(edge.lockFrom)), at
          \(list(edge.stack.lines()))

          """
      }
      let from = name(edge.lockFrom) + article(edge.fromMode, edge.lockFrom)
      let to = name(edge.lockTo) + article(edge.toMode, edge.lockTo)
      return """
          \(edge.party.name) held \(from), acquired at
        \(list(edge.linesOfHeld))
            and acquired \(to) at
        \(list(edge.stack.lines()))

        """
    }

    private static func list(_ lines: [String]) -> String {
      lines.isEmpty
        ? "      (no source lines are known)" : lines.map { "      \($0)" }.joined(separator: "\n")
    }
  }

  extension LockEdge {
    /// The source lines at which `lockFrom` was acquired.
    fileprivate var linesOfHeld: [String] { lock.stack?.lines() ?? stack.lines(heldFrom: lock.frame) }

    func site(_ kind: DeadlockReport.Kind) -> Finding.Site {
      Finding.Site(
        kind: kind,
        parts: [
          lockFrom.classIndex, lockTo.classIndex, lock.stack?.site() ?? stack.site(heldFrom: lock.frame),
          stack.site(),
        ])
    }
  }
#endif
