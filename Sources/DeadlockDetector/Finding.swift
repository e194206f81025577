#if DeadlockDetection
  internal import LockSupport

  /// A problem that the detector found while it held its mutex.
  ///
  /// `Reports` makes a report of the finding after the mutex is released, because finding the source lines
  /// takes long.
  struct Finding {
    let kind: DetectedDeadlock.Kind
    let locks: [LockID]
    /// The places in the code where the problem shows, by which `Reports` recognises repetitions; empty if
    /// every finding of this kind must be reported.
    let sites: () -> Set<Site>
    let text: () -> String

    /// A place in the code where a problem shows.
    ///
    /// For an edge of the graph, `parts` has the index of each lock's class, and a hash of the return address
    /// of each acquisition.
    struct Site: Hashable {
      let kind: DetectedDeadlock.Kind
      let parts: [Int]
    }

    // MARK: Kinds of findings

    /// A possible deadlock: the threads at the edges of `cycle` can wait for one another.
    ///
    /// - Parameter ofClasses: Whether `cycle` is in the graph of lock classes. Its edges may then stand for
    ///   different locks of the same class.
    static func cycle(_ cycle: [LockEdge], ofClasses: Bool) -> Finding {
      let locks = cycle.map { $0.lockFrom }
      return Finding(kind: .possible, locks: locks) {
        Set(cycle.map { $0.site(.possible) })
      } text: {
        let parties = Party.plural(cycle.map { $0.party })
        var text = "Interlock: deadlock possible: \(cycle.count) \(parties) can wait for one another\n"
        if ofClasses {
          text += "  if these are the same locks: the detector expects one order of all that a line makes\n"
        }
        for edge in cycle { text += describe(edge) }
        return text + advice(for: locks)
      }
    }

    static func order(_ order: LockOrder, _ edge: LockEdge) -> Finding {
      Finding(kind: .order, locks: [edge.lockFrom, edge.lockTo]) {
        [edge.site(.order)]
      } text: {
        let rule =
          switch order {
          case .byAddress: "in the order of their addresses"
          case .byKey: "in the order of their keys"
          default: "one at a time"
          }
        return "Interlock: locks acquired against their order: these are acquired \(rule)\n" + describe(edge)
          + "  Acquire them in the declared order, or declare another one.\n"
      }
    }

    static func nested(
      in lock: ThreadLocks.Held, _ mode: LockMode, _ party: Party, _ stack: LockStack
    ) -> Finding {
      let id = lock.id
      let edge = LockEdge(
        from: id, to: id, nodes: LockID.Pair(from: id, to: id), fromMode: lock.mode, toMode: mode, held: [],
        party: party, stack: stack, fromFrame: lock.frame)
      return Finding(kind: .possible, locks: [id]) {
        [edge.site(.possible)]
      } text: {
        let reason =
          if lock.mode == .write {
            "acquires again what it holds, and waits for itself"
          } else if mode == .read {
            "reads again in a read section, and waits for ever if a writer waits in between"
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

    static func untracked(_ party: Party, _ stack: LockStack) -> Finding {
      Finding(kind: .untracked, locks: []) {
        []
      } text: {
        """
        Interlock: \(party.name) holds more than \(ThreadLocks.capacity) locks: the detector does not see the others
        \(list(stack.lines()))

        """
      }
    }

    /// A wait of `party` for the lock `id` that has lasted for longer than the wait limit.
    ///
    /// - Parameter others: All threads and tasks with locks, to be listed in the report (see
    ///   `Detector.State.parties`).
    static func longWait(
      for id: LockID, _ party: Party, milliseconds: UInt64, _ stack: LockStack,
      others: [(party: Party, locks: [UInt64])]
    ) -> Finding {
      Finding(kind: .longWait, locks: [id]) {
        []
      } text: {
        let others = others.map { other in
          let locks = other.locks.map {
            ($0 & ThreadLocks.isPending == 0 ? "holds " : "waits for ") + name(LockID(bits: $0))
          }
          return "  \(other.party.name) \(locks.joined(separator: ", "))\n"
        }
        return """
          Interlock: a long wait: \(party.name) has waited \(milliseconds) ms for \(name(id)), at
          \(list(stack.lines()))
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
          text += """
              \(waiting.party.name) waits for \(name(waiting.wanted))
                and holds \(waiting.held.map { name($0.id) }.joined(separator: ", ")), at
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
      return "\(lockClass.kind.name) \(lockClass.origin("#\(id.serial), "))"
    }

    private static func kind(_ id: LockID) -> PrimitiveKind { LockClass.find(at: id.classIndex).kind }

    private static func article(_ mode: LockMode, _ id: LockID) -> String {
      guard kind(id).sharesReads else { return "" }
      return mode == .read ? " for reading" : " for writing"
    }

    private static func advice(for locks: [LockID]) -> String {
      locks.contains { kind($0) == .predicate }
        ? "  Wait for the predicate without holding a lock that the writers need.\n"
        : "  Acquire these locks in one order everywhere, or release one before acquiring the other.\n"
    }

    /// Describes both locks of an edge, and where the thread acquired each of them.
    private static func describe(_ edge: LockEdge) -> String {
      if kind(edge.lockFrom) == .predicate, edge.held.isEmpty {
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
    fileprivate var linesOfHeld: [String] { fromStack?.lines() ?? stack.lines(heldFrom: fromFrame) }

    func site(_ kind: DetectedDeadlock.Kind) -> Finding.Site {
      Finding.Site(
        kind: kind,
        parts: [
          lockFrom.classIndex, lockTo.classIndex, fromStack?.site() ?? stack.site(heldFrom: fromFrame),
          stack.site(),
        ])
    }
  }
#endif
