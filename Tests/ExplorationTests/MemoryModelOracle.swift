#if Exploration
  import InterlockCore

  /// A small program on atomic words, each with an initial value of 0.
  struct AtomicProgram: CustomStringConvertible {
    struct Operation {
      enum Kind: Equatable { case load, store, add, exchange, compareExchange(expected: UInt64), fence }
      var kind: Kind
      var word: Int
      var operand: UInt64
      var ordering: MemoryOrdering
    }

    var threads: [[Operation]]
    var words: Int

    var description: String {
      threads.map { $0.map { "\($0.kind) w\($0.word) \($0.operand) \($0.ordering)" }.joined(separator: "; ") }
        .joined(separator: "  ||  ")
    }
  }

  /// The values that the operations of a program read, thread after thread, and then the words' final values.
  ///
  /// Stores and fences read 0.
  typealias Outcome = [UInt64]

  /// A relation on at most 16 events: bit *j* of row *i* says that *i* is related to *j*.
  struct Relation {
    private var rows = SIMD16<UInt16>()

    init() {}
    /// Makes the relation of the pairs of the first `count` events for which `contains` returns `true`.
    init(_ count: Int, _ contains: (Int, Int) -> Bool) {
      for i in 0..<count { for j in 0..<count where contains(i, j) { self[i, j] = true } }
    }

    subscript(i: Int, j: Int) -> Bool {
      get { rows[i] & (1 << j) != 0 }
      set { if newValue { rows[i] |= 1 << j } else { rows[i] &= ~(1 << j) } }
    }

    static func | (a: Relation, b: Relation) -> Relation { with(a) { $0.rows |= b.rows } }
    static func & (a: Relation, b: Relation) -> Relation { with(a) { $0.rows &= b.rows } }
    static func - (a: Relation, b: Relation) -> Relation { with(a) { $0.rows &= ~b.rows } }
    /// Composition: first `a`, then `b`.
    static func * (a: Relation, b: Relation) -> Relation {
      with(Relation()) {
        for i in 0..<16 {
          var row = a.rows[i]
          while row != 0 {
            $0.rows[i] |= b.rows[row.trailingZeroBitCount]
            row &= row - 1
          }
        }
      }
    }

    private static func with(_ relation: Relation, _ change: (inout Relation) -> Void) -> Relation {
      var relation = relation
      change(&relation)
      return relation
    }

    static let identity = Relation(16) { $0 == $1 }
    var inverse: Relation { Relation(16) { self[$1, $0] } }
    var orEqual: Relation { self | .identity }
    var closure: Relation {
      Self.with(self) {
        for k in 0..<16 { for i in 0..<16 where $0[i, k] { $0.rows[i] |= $0.rows[k] } }
      }
    }
    var isIrreflexive: Bool { (0..<16).allSatisfy { !self[$0, $0] } }
    var isAcyclic: Bool { closure.isIrreflexive }
  }

  /// Derives the outcomes of a program from axioms; shares no code with the explorer's memory.
  ///
  /// The axioms and their names are those of RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer: *Repairing Sequential
  /// Consistency in C/C++11*, PLDI 2017). Two of the axioms are replaced by those of C++20: a later store of
  /// the same thread does not continue a release sequence (P0982), and sequential consistency is as in
  /// [atomics.order], paragraphs 3 and 4. The oracle tries all candidates: each source for each read, and
  /// each order of the stores to a word.
  struct MemoryModelOracle {
    /// All outcomes that the axioms permit.
    private(set) var allowed: Set<Outcome> = []
    /// The permitted outcomes that the explorer must show.
    ///
    /// For each of them, all events have an order that agrees with program order, modification order and the
    /// order of sequentially consistent events. In that order, each read follows its store, and a
    /// compare-exchange that fails reads the latest value.
    private(set) var required: Set<Outcome> = []

    private typealias Kind = AtomicProgram.Operation.Kind

    private struct Event {
      /// −1 for initial stores.
      var thread: Int
      var kind: Kind
      var word: Int
      var operand: UInt64
      var ordering: MemoryOrdering
      var isAcquiring: Bool { ordering != .relaxed && ordering != .releasing }
      var isReleasing: Bool { ordering != .relaxed && ordering != .acquiring }
      var isConsistent: Bool { ordering == .sequentiallyConsistent }
      var isFence: Bool { kind == .fence }
      var reads: Bool { kind != .store && kind != .fence }
    }

    private let words: Int
    private let events: [Event]
    private let sb: Relation
    private let sameWord: Relation

    init(_ program: AtomicProgram) {
      words = program.words
      let initial = (0..<program.words).map {
        Event(thread: -1, kind: .store, word: $0, operand: 0, ordering: .relaxed)
      }
      let events =
        initial
        + program.threads.enumerated().flatMap { thread, operations in
          operations.map {
            Event(thread: thread, kind: $0.kind, word: $0.word, operand: $0.operand, ordering: $0.ordering)
          }
        }
      self.events = events
      sb = Relation(events.count) {
        events[$0].thread == -1
          ? events[$1].thread >= 0 : events[$0].thread == events[$1].thread && $0 < $1
      }
      sameWord = Relation(events.count) {
        !events[$0].isFence && !events[$1].isFence && events[$0].word == events[$1].word
      }
      chooseReads(0, Array(repeating: 0, count: events.count))
    }

    /// The identity relation on the events for which `isMember` returns `true`.
    private func set(_ isMember: (Event) -> Bool) -> Relation {
      Relation(events.count) { $0 == $1 && isMember(events[$0]) }
    }

    /// Tries each store for each read from `event` on; `sources` are the stores chosen for earlier reads.
    private mutating func chooseReads(_ event: Int, _ sources: [Int]) {
      guard event < events.count else { return orderStores(sources) }
      guard events[event].reads else { return chooseReads(event + 1, sources) }
      for store in events.indices
      where store != event && sameWord[store, event] && events[store].kind != .load {
        // By the axiom NO-THIN-AIR, a thread cannot read from its own later store.
        if sb[event, store] { continue }
        var sources = sources
        sources[event] = store
        chooseReads(event + 1, sources)
      }
    }

    /// The values read and stored, if each read gets the value of its source; `nil` if a source stores nothing,
    /// or if the reads form a cycle (NO-THIN-AIR).
    private func values(_ sources: [Int]) -> (read: [UInt64], stored: [UInt64?])? {
      let reads = Relation(events.count) { events[$1].reads && sources[$1] == $0 }
      guard (sb | reads).isAcyclic else { return nil }
      var read = Array(repeating: UInt64(0), count: events.count)
      var stored = [UInt64?](repeating: nil, count: events.count)
      // The reads have no cycle, so each pass determines at least one more value, and as many passes as
      // events suffice.
      for _ in events {
        for (index, event) in events.enumerated() {
          if event.reads { read[index] = stored[sources[index]] ?? 0 }
          switch event.kind {
          case .load, .fence: break
          case .store, .exchange: stored[index] = event.operand
          case .add: stored[index] = read[index] &+ event.operand
          case .compareExchange(let expected): stored[index] = read[index] == expected ? event.operand : nil
          }
        }
      }
      let isStored = events.indices.allSatisfy { !events[$0].reads || stored[sources[$0]] != nil }
      return isStored ? (read, stored) : nil
    }

    /// Tries each modification order that agrees with happens-before, and records the outcomes that the
    /// axioms permit.
    private mutating func orderStores(_ sources: [Int]) {
      guard let (read, stored) = values(sources) else { return }
      let writes = { stored[$0] != nil }
      let rf = Relation(events.count) { events[$1].reads && sources[$1] == $0 }
      let updates = Relation(events.count) { $0 == $1 && events[$0].reads && writes($0) }
      let writesOnly = Relation(events.count) { $0 == $1 && writes($0) }
      let fences = set(\.isFence)
      // A failed compare-exchange with release ordering is a relaxed read.
      let releasing = Relation(events.count) {
        $0 == $1 && events[$0].isReleasing && (events[$0].isFence || writes($0))
      }
      let acquiring = set { $0.isAcquiring && ($0.isFence || $0.reads) }
      let releaseSequence = writesOnly * (rf * updates).closure.orEqual
      let sw = releasing * (fences * sb).orEqual * releaseSequence * rf * (sb * fences).orEqual * acquiring
      let hb = (sb | sw).closure
      guard hb.isIrreflexive else { return }
      let stores = (0..<words).map { word in
        events.indices.filter { writes($0) && events[$0].word == word }
      }
      var order = Relation()
      func extend(_ word: Int, _ left: [Int], _ last: [Int], _ visit: (Relation, [Int]) -> Void) {
        guard word < words else { return visit(order, last) }
        if left.isEmpty {
          return extend(word + 1, word + 1 < words ? stores[word + 1] : [], last, visit)
        }
        for next in left where !left.contains(where: { hb[$0, next] }) {
          let before = order
          for later in left where later != next { order[next, later] = true }
          extend(word, left.filter { $0 != next }, last.dropLast(last.count - word) + [next], visit)
          order = before
        }
      }
      var found: [(Relation, [Int])] = []
      extend(0, stores[0], []) { found.append(($0, $1)) }
      for (mo, last) in found {
        guard let isRequired = check(rf: rf, mo: mo, sw: sw, hb: hb, writes: writesOnly) else { continue }
        let outcome = read.dropFirst(words) + last.map { stored[$0]! }
        allowed.insert(Array(outcome))
        if isRequired { required.insert(Array(outcome)) }
      }
    }

    /// Whether the explorer must show the execution; `nil` if the axioms forbid it.
    ///
    /// The relations have RC11's names: reads-from, modification order, synchronizes-with, happens-before.
    /// `writes` relates each event that stores to itself.
    private func check(rf: Relation, mo: Relation, sw: Relation, hb: Relation, writes: Relation) -> Bool? {
      let rb = rf.inverse * mo - .identity
      let eco = (rf | mo | rb).closure
      // COHERENCE
      guard (hb * eco.orEqual).isIrreflexive else { return nil }
      // ATOMICITY
      guard (rb * mo).isIrreflexive else { return nil }
      // SC
      let sc = set(\.isConsistent)
      let fence = set { $0.isConsistent && $0.isFence }
      let strongly = (sb | sc * sw * sc | sb * hb * sb).closure
      let s = sc * strongly * sc | (sc | fence * hb) * eco * (sc | hb * fence)
      guard s.isAcyclic else { return nil }
      let failed = set { if case .compareExchange = $0.kind { true } else { false } } - writes
      return (sb | rf | mo | s | failed * rb).isAcyclic
    }
  }
#endif
