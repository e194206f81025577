#if DeadlockDetection
  internal import CInterlock
  internal import LockSupport

  /// A report of the detector, for `DetectionAction` to print or pass on.
  @usableFromInline
  package struct DetectedDeadlock: Sendable {
    @usableFromInline
    package enum Kind: Sendable {
      /// Threads can wait for one another, but do not wait now.
      case possible
      /// Threads wait for one another now.
      case happened
      /// A thread acquired locks of one label against the order that is declared for the label.
      case order
      /// A thread that holds locks is about to run code that may need any lock.
      case callWhileLocked
      /// A thread has waited for a lock for longer than the wait limit.
      case longWait
    }

    package let kind: Kind
    package let locks: [String]
    package let text: String
  }

  /// The detector's response to a report: it traps, prints the report, or calls a closure.
  @usableFromInline
  package enum DetectionAction: Sendable {
    case trap, print
    case call(@Sendable (DetectedDeadlock) -> Void)

    /// The default: `trap` in test processes, `print` in others.
    static var standard: DetectionAction {
      let program = CommandLine.arguments.first ?? ""
      let isTest =
        program.hasSuffix(".xctest") || program.hasSuffix("/xctest")
        || program.contains("swiftpm-testing-helper")
      return isTest ? .trap : .print
    }

    func perform(_ deadlock: DetectedDeadlock) {
      switch self {
      case .call(let closure): closure(deadlock)
      case .print: unsafe deadlock.text.withCString { unsafe interlock_print_last_words($0) }
      case .trap:
        unsafe deadlock.text.withCString { unsafe interlock_print_last_words($0) }
        if deadlock.kind != .longWait { interlock_trap() }
      }
    }
  }

  extension Detector.State {
    // MARK: Names

    /// The lock's node in the graph.
    ///
    /// If an order is declared for the lock's label, all locks with this label share a node. Otherwise the
    /// lock has a node of its own.
    func nodeID(_ id: LockID) -> LockID {
      let lockClass = LockClass.whileLocked(at: id.classIndex)
      return order(of: lockClass) == .undeclared ? id : LockID(classIndex: lockClass.firstIndex, serial: 0)
    }

    private func order(of lockClass: LockClass) -> LockOrder {
      orders.isEmpty || lockClass.orderedLabel.isEmpty
        ? .undeclared : orders[lockClass.orderedLabel] ?? .undeclared
    }

    /// The order that is declared for two locks of one label.
    func order(of first: LockID, and second: LockID) -> LockOrder {
      let (first, second) = (
        LockClass.whileLocked(at: first.classIndex), LockClass.whileLocked(at: second.classIndex)
      )
      return first.orderedLabel == second.orderedLabel ? order(of: first) : .undeclared
    }

    /// The lock's name in reports, for example `UnfairLock "accounts" (#3, made at Bank.swift:12)`.
    func name(_ id: LockID) -> String {
      let lockClass = LockClass.whileLocked(at: id.classIndex)
      return "\(lockClass.kind.name) \(lockClass.origin("#\(id.serial), "))"
    }

    private func article(_ mode: LockMode, _ id: LockID) -> String {
      guard LockClass.whileLocked(at: id.classIndex).kind.sharesReads else { return "" }
      return mode == .read ? " for reading" : " for writing"
    }

    // MARK: Reports

    static var advice: String {
      "  Acquire these locks in one order everywhere, or release one before acquiring the other.\n"
    }

    /// Reports the shortest cycle through the edge, unless a cycle of the same locks has been reported.
    mutating func report(closedBy edge: LockEdge, _ found: inout [DetectedDeadlock]) {
      guard let cycle = graph.shortestCycle(closedBy: edge) else { return }
      let key = Detector.ReportKey(.possible, cycle.flatMap { [$0.lockFrom, $0.lockTo] })
      guard reported.insert(key).inserted else { return }
      let names = cycle.map { name($0.lockFrom) }
      var text = "Interlock: deadlock possible: \(cycle.count) threads can wait for one another\n"
      for edge in cycle { text += describe(edge) }
      text += Self.advice
      found.append(DetectedDeadlock(kind: .possible, locks: names, text: text))
    }

    mutating func report(
      _ edge: LockEdge, against order: LockOrder, _ found: inout [DetectedDeadlock]
    ) {
      let key = Detector.ReportKey(.order, [edge.lockFrom, edge.lockTo])
      guard reported.insert(key).inserted else { return }
      let rule =
        switch order {
        case .byAddress: "in the order of their addresses"
        case .byKey: "in the order of their keys"
        default: "one at a time"
        }
      let text =
        "Interlock: locks acquired against their order: these are acquired \(rule)\n" + describe(edge)
        + "  Acquire them in the declared order, or declare another one.\n"
      found.append(
        DetectedDeadlock(kind: .order, locks: [name(edge.lockFrom), name(edge.lockTo)], text: text))
    }

    mutating func report(
      nestedIn lock: ThreadLocks.Held, _ mode: LockMode, _ thread: UInt32, _ stack: LockStack,
      _ found: inout [DetectedDeadlock]
    ) {
      let (id, frame) = (lock.id, lock.frame)
      guard reported.insert(Detector.ReportKey(.possible, [id])).inserted else { return }
      let reason =
        mode == .read
        ? "reads again in a read section, and waits for ever if a writer waits in between"
        : "asks for the write lock in a read section, and waits for itself"
      let edge = LockEdge(
        from: id, to: id, nodes: LockID.Pair(from: id, to: id), fromMode: .read, toMode: mode, held: [],
        thread: thread, stack: stack, fromFrame: frame)
      let text =
        "Interlock: deadlock possible: a thread \(reason)\n" + describe(edge)
        + "  Acquire the lock once, and pass what was read to the functions that need it.\n"
      found.append(DetectedDeadlock(kind: .possible, locks: [name(id)], text: text))
    }

    mutating func report(
      _ call: StaticString, while held: [ThreadLocks.Held], _ thread: UInt32,
      _ found: inout [DetectedDeadlock]
    ) {
      let locks = held.filter { LockClass.whileLocked(at: $0.id.classIndex).kind.forbidsUnknownCalls }
      guard let first = locks.first else { return }
      let key = Detector.ReportKey(.callWhileLocked, locks.map { $0.id })
      guard reported.insert(key).inserted else { return }
      let stack = LockStack.capture(heldFrom: [first.frame])
      let names = locks.map { name($0.id) }
      let text = """
        Interlock: a call under a lock: \(call)
          while thread \(thread) holds \(names.joined(separator: ", ")), acquired at
        \(Self.list(stack.lines(heldFrom: first.frame)))
          The code that runs then may need the lock: release it first.

        """
      found.append(DetectedDeadlock(kind: .callWhileLocked, locks: names, text: text))
    }

    /// Describes both locks of an edge, and where the thread acquired each of them.
    private func describe(_ edge: LockEdge) -> String {
      if LockClass.whileLocked(at: edge.lockFrom.classIndex).kind == .predicate, edge.held.isEmpty {
        return """
            thread \(edge.thread) held \(name(edge.lockTo)), acquired at
          \(Self.list(edge.stack.lines(heldFrom: edge.fromFrame)))
              in the section that can make true the \(name(edge.lockFrom)), at
          \(Self.list(edge.stack.lines()))

          """
      }
      let from = name(edge.lockFrom) + article(edge.fromMode, edge.lockFrom)
      let to = name(edge.lockTo) + article(edge.toMode, edge.lockTo)
      return """
          thread \(edge.thread) held \(from), acquired at
        \(Self.list(edge.stack.lines(heldFrom: edge.fromFrame)))
            and acquired \(to) at
        \(Self.list(edge.stack.lines()))

        """
    }

    static func list(_ lines: [String]) -> String {
      lines.isEmpty
        ? "      (no source lines are known)" : lines.map { "      \($0)" }.joined(separator: "\n")
    }
  }
#endif
