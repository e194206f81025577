#if Exploration
  import AtomicProperties
  import Exploration
  import InterlockCore
  import Synchronization
  import TestSupport
  import Testing

  /// Tests that explorations show exactly the outcomes that the memory model allows, apart from those that
  /// the explorer does not model.
  ///
  /// Each test is a small program, which is explored exhaustively. `RandomProgramTests` has programs of the
  /// same operations, and so covers the rules about one word.
  @Suite struct LitmusTests {
    /// The two words that the threads of a program share.
    final class Words: Sendable {
      let x = AtomicWord()
      let y = AtomicWord()
    }

    enum Name { case x, y }

    /// An operation of a thread; it returns the number that it has read, if it reads.
    typealias Step = @Sendable (Words) -> UInt64?

    private static func load(_ name: Name, _ ordering: MemoryOrdering = .relaxed) -> Step {
      { name == .x ? $0.x.load(ordering) : $0.y.load(ordering) }
    }

    private static func store(_ name: Name, _ value: UInt64, _ ordering: MemoryOrdering = .relaxed) -> Step {
      { words in
        if name == .x { words.x.store(value, ordering) } else { words.y.store(value, ordering) }
        return nil
      }
    }

    private static func fence(_ ordering: AtomicUpdateOrdering) -> Step {
      { _ in
        atomicThreadFence(ordering: ordering)
        return nil
      }
    }

    /// Explores a program, and returns the outcomes of all executions.
    ///
    /// An outcome is a text of the numbers that the threads read, in the order of the threads. With
    /// `showsMemory`, the final values of the words `x` and `y` follow.
    private func outcomes(
      _ threads: [Step]..., showsMemory: Bool = false, oldReads: Int = 1
    ) throws -> Set<String> {
      let seen = Monitor(Set<String>())
      let summary = try explore(.exhaustive(), limits: ExplorationLimits(oldReads: oldReads)) { run in
        let words = Words()
        let tasks = threads.map { steps in run.thread { steps.compactMap { $0(words) } } }
        var read: [UInt64] = []
        for task in tasks { read += task.join() }
        if showsMemory { read += [words.x.load(.relaxed), words.y.load(.relaxed)] }
        let outcome = read.map { "\($0)" }.joined()
        seen.enter { _ = $0.insert(outcome) }
      }
      #expect(summary.isExhaustive)
      if oldReads > 1 { #expect(!summary.limitedOldReads) }
      return seen.enter { $0 }
    }

    /// A thread that has read the later store, y = 1, may still read the old value of x several times,
    /// because both stores are relaxed.
    @Test func anOldValueIsReadAgain() throws {
      let stores = [Self.store(.x, 1), Self.store(.y, 1)]
      let loads = [Self.load(.y), Self.load(.x), Self.load(.x), Self.load(.x)]
      let seen = try outcomes(stores, loads, oldReads: 3)
      #expect(seen.isSuperset(of: ["1000", "1001", "1111"]) && !seen.contains("1010"))
      #expect(!(try outcomes(stores, loads).contains("1000")))
      let limited = try explore { run in
        let words = Words()
        let perform: @Sendable ([Step]) -> Void = { for step in $0 { _ = step(words) } }
        run.inThreads({ perform(stores) }, { perform(loads) })
      }
      #expect(limited.limitedOldReads && limited.description.contains("old reads limited"))
    }

    // MARK: Store buffering: each thread stores one word and loads the other

    typealias Orderings = (store: MemoryOrdering, load: MemoryOrdering)

    static let pairs: [Orderings] = [
      (.relaxed, .relaxed), (.releasing, .acquiring), (.sequentiallyConsistent, .sequentiallyConsistent),
    ]

    @Test(arguments: pairs, pairs)
    func sequentialConsistencyForbidsStoreBuffering(one: Orderings, other: Orderings) throws {
      let seen = try outcomes(
        [Self.store(.x, 1, one.store), Self.load(.y, one.load)],
        [Self.store(.y, 1, other.store), Self.load(.x, other.load)])
      let isForbidden = one.load == .sequentiallyConsistent && other.load == .sequentiallyConsistent
      #expect(seen == (isForbidden ? ["01", "10", "11"] : ["00", "01", "10", "11"]))
    }

    @Test func fencesForbidStoreBuffering() throws {
      let seen = try outcomes(
        [Self.store(.x, 1), Self.fence(.sequentiallyConsistent), Self.load(.y)],
        [Self.store(.y, 1), Self.fence(.sequentiallyConsistent), Self.load(.x)])
      #expect(seen == ["01", "10", "11"])
    }

    /// A barrier before the store does not order the later store and load, so both threads may load 0.
    @Test(arguments: [false, true])
    func aBarrierOnAllThreadsForbidsStoreBuffering(isBeforeTheStore: Bool) throws {
      let barrier: Step = { _ in
        ProcessBarrier.heavy()
        return nil
      }
      let storing = isBeforeTheStore ? [barrier, Self.store(.x, 1)] : [Self.store(.x, 1), barrier]
      let seen = try outcomes(storing + [Self.load(.y)], [Self.store(.y, 1), Self.load(.x)])
      #expect(seen == (isBeforeTheStore ? ["00", "01", "10", "11"] : ["01", "10", "11"]))
    }

    @Test func aFenceMayBeTheFirstOperation() throws {
      let thread = [Self.fence(.sequentiallyConsistent), Self.load(.x)]
      #expect(try outcomes(thread, thread) == ["00"])
    }

    // MARK: Message passing: one thread stores a value and then a flag, the other loads the flag and then the
    // value

    @Test(arguments: pairs, pairs)
    func aMessageArrivesWithBothOrderings(storing: Orderings, loading: Orderings) throws {
      let seen = try outcomes(
        [Self.store(.x, 1), Self.store(.y, 1, storing.store)], [Self.load(.y, loading.load), Self.load(.x)])
      let arrives = storing.store != .relaxed && loading.load != .relaxed
      #expect(seen == (arrives ? ["00", "01", "11"] : ["00", "01", "10", "11"]))
    }

    @Test func aMessageArrivesWithBothFences() throws {
      let seen = try outcomes(
        [Self.store(.x, 1), Self.fence(.releasing), Self.store(.y, 1)],
        [Self.load(.y), Self.fence(.acquiring), Self.load(.x)])
      #expect(seen == ["00", "01", "11"])
    }

    @Test(arguments: [true, false])
    func aMessagePassesThroughAnUpdateAndNotThroughAStore(isUpdate: Bool) throws {
      let seen = try outcomes(
        [Self.store(.x, 1), Self.store(.y, 1, .releasing)],
        [
          { words in
            // Both variants replace 1 by 2 with relaxed ordering. Only the atomic update continues the
            // release sequence.
            if isUpdate {
              _ = words.y.compareExchange(expected: 1, desired: 2, .relaxed)
            } else if words.y.load(.relaxed) == 1 {
              words.y.store(2, .relaxed)
            }
            return nil
          }
        ],
        [{ $0.y.load(.acquiring) == 2 ? $0.x.load(.relaxed) : 9 }])
      #expect(seen == (isUpdate ? ["1", "9"] : ["0", "1", "9"]))
    }

    // MARK: Outcomes that the memory model allows and the explorer does not model

    /// The memory model allows both threads to load 1.
    ///
    /// A load would have to return a value that is stored after the load.
    @Test func loadBufferingIsNotModelled() throws {
      let seen = try outcomes([Self.load(.x), Self.store(.y, 1)], [Self.load(.y), Self.store(.x, 1)])
      #expect(seen == ["00", "01", "10"])
    }

    /// The memory model allows the second thread to read y = 1 and then x = 0, because only sequentially
    /// consistent operations must agree on one order.
    ///
    /// The explorer orders these operations as it executes them.
    @Test func anOrderOfConsistentOperationsThatContradictsRelaxedLoadsIsNotModelled() throws {
      let seen = try outcomes(
        [Self.store(.x, 1, .sequentiallyConsistent), Self.store(.y, 1)],
        [Self.load(.y), Self.load(.x, .sequentiallyConsistent)])
      #expect(seen == ["00", "01", "11"])
    }

    /// Each of two threads stores 1 to one word, and then 2 to the other word.
    ///
    /// The memory model allows both words to end with 1.
    @Test func storesDoNotOvertakeExecutedStores() throws {
      let seen = try outcomes(
        [Self.store(.x, 1), Self.store(.y, 2)], [Self.store(.y, 1), Self.store(.x, 2)], showsMemory: true)
      #expect(seen == ["12", "21", "22"])
    }

    // MARK: Three and four threads

    private func independentReads(_ load: MemoryOrdering, _ store: MemoryOrdering) throws -> Set<String> {
      try outcomes(
        [Self.store(.x, 1, store)], [Self.store(.y, 1, store)], [Self.load(.x, load), Self.load(.y, load)],
        [Self.load(.y, load), Self.load(.x, load)])
    }

    @Test func readersMayDisagreeOnTheOrderOfStores() throws {
      #expect(try independentReads(.acquiring, .releasing).contains("1010"))
    }

    @Test func sequentiallyConsistentReadersAgreeOnTheOrderOfStores() throws {
      let seen = try independentReads(.sequentiallyConsistent, .sequentiallyConsistent)
      #expect(!seen.contains("1010"))
      #expect(seen.count == 15)
    }

    @Test func whatAThreadHasSeenIsSeenByWhomItTells() throws {
      let seen = try outcomes(
        [Self.store(.x, 1)], [Self.load(.x, .acquiring), Self.store(.y, 1, .releasing)],
        [Self.load(.y, .acquiring), Self.load(.x)])
      #expect(seen == ["000", "001", "010", "011", "100", "101", "111"])
    }

    // MARK: Updates

    @Test(arguments: [MemoryOrdering.relaxed, .sequentiallyConsistent])
    func updatesAreNotLost(ordering: MemoryOrdering) throws {
      let add: [Step] = [{ $0.x.add(1, ordering) }]
      #expect(try outcomes(add, add, showsMemory: true) == ["0120", "1020"])
    }
  }
#endif
