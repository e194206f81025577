#if Exploration && ShippedLayout
  import AtomicProperties
  import Exploration
  import Protectors
  import Testing

  /// Calls whose lines are counted with 2, 8 and 64 processors.
  final class Scenario: CustomTestStringConvertible, Sendable {
    /// What the documentation says about calls, with any number of processors.
    enum Claim {
      /// No line that one processor writes is used by another.
      case movesNoLine
      case wakesOneAtMost
      /// Threads or tasks that wait cost the caller nothing: with 64 processors no more than with 8.
      case isFreeOfWaiters
    }

    /// The processors include those of threads and tasks that only wait.
    typealias Count = @Sendable (_ processors: Int, CallOrder) throws -> CallCosts

    static let all = [
      ControlLineTests.scenarios, LockLineTests.scenarios, ReaderLineTests.scenarios,
      ProtectorLineTests.scenarios,
      ObjectLineTests.scenarios, TaskLineTests.scenarios,
    ].flatMap(\.self)

    let name: String
    private let claims: Set<Claim>
    private let orders: [CallOrder]
    private let count: Count

    private init(_ name: String, _ claims: Set<Claim>, _ orders: [CallOrder], _ count: @escaping Count) {
      self.name = name
      self.claims = claims
      self.orders = orders
      self.count = count
    }

    var testDescription: String { name }

    var rowNames: [String] { orders.map(rowName) }

    private func rowName(_ order: CallOrder) -> String {
      if case .random(let seed) = order { "\(name), at random \(seed)" } else { name }
    }

    /// Counts the calls, and compares with the table, or writes their rows anew.
    ///
    /// - Returns: The costs in the last order, with 2, 8 and 64 processors.
    @discardableResult
    func check() throws -> [CallCosts] {
      var costs: [CallCosts] = []
      for order in orders {
        costs = try [2, 8, 64].map { try count($0, order) }
        try LineTable.check(rowName(order), costs)
        for claim in claims { check(claim, rowName(order), costs) }
      }
      return costs
    }

    private func check(_ claim: Claim, _ name: String, _ costs: [CallCosts]) {
      switch claim {
      case .movesNoLine:
        #expect(costs.allSatisfy { $0.isConflictFree && $0.total(\.transfers) == 0 }, "\(name): \(costs)")
      case .wakesOneAtMost:
        #expect(costs.allSatisfy { $0.most(\.wakeUps) <= 1 }, "\(name): \(costs)")
      case .isFreeOfWaiters:
        for kind in [\CallCosts.Call.transfers, \.invalidations, \.wakeUps] {
          #expect(costs[2].most(kind) <= costs[1].most(kind), "\(name): \(costs)")
        }
      }
    }
  }

  extension Scenario {
    /// Calls of threads, each on its processor; `make` gets their number.
    static func threads(
      _ name: String, _ claims: Set<Claim> = [], orders: [CallOrder] = [.roundRobin, .random(seed: 1)],
      warmUp: Int = 3, calls: Int = 8, _ make: @escaping @Sendable (Int) -> @Sendable (Int) -> Void
    ) -> Scenario {
      Scenario(name, claims, orders) { processors, order in
        try countLines(threads: processors, order: order, warmUp: warmUp, calls: calls) { _ in
          make(processors)
        }
      }
    }

    /// Calls of one or two threads, beside others that wait.
    static func callers(
      _ callers: Int, _ name: String, _ claims: Set<Claim> = [],
      _ make: @escaping @Sendable (OtherCallers) -> @Sendable (Int) -> Void
    ) -> Scenario {
      Scenario(name, claims, [.roundRobin]) { processors, order in
        try countLines(threads: callers, beside: processors - callers, order: order, make)
      }
    }

    static func tasks(
      _ name: String, _ claims: Set<Claim> = [], orders: [CallOrder] = [.roundRobin, .random(seed: 1)],
      _ make: @escaping @Sendable (Int) -> @Sendable (Int) async -> Void
    ) -> Scenario {
      Scenario(name, claims, orders) { processors, order in
        try countLines(tasks: processors, order: order) { _ in make(processors) }
      }
    }

    /// Calls of one or two tasks, beside others that wait.
    static func callingTasks(
      _ callers: Int, _ name: String, _ claims: Set<Claim> = [],
      _ make: @escaping @Sendable (OtherCallers) -> @Sendable (Int) async -> Void
    ) -> Scenario {
      Scenario(name, claims, [.roundRobin]) { processors, order in
        try countLines(tasks: callers, beside: processors - callers, order: order, make)
      }
    }
  }

  /// Lets the other threads run until they wait.
  func letOthersWait() { for _ in 0..<4 { spinLoopHint() } }

  /// The value of scenarios with predicates.
  struct Round: Sendable {
    var number = 0
    var isOver = false
  }
#endif
