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
  /// Each test is a small program, which is explored exhaustively.
  @Suite struct LitmusTests {
    /// The two words that the threads of a program share.
    final class Words: Sendable {
      let x = AtomicWord()
      let y = AtomicWord()
    }

    typealias Thread = @Sendable (Words) -> [UInt64]

    /// Explores a program, and returns the outcomes of all executions.
    ///
    /// An outcome is a text of the numbers that the threads return, in the order of the threads. With
    /// `showsMemory`, the final values of the words `x` and `y` follow.
    private func outcomes(
      _ threads: Thread..., showsMemory: Bool = false, oldReads: Int = 1
    ) throws -> Set<String> {
      let seen = Monitor(Set<String>())
      let summary = try explore(limits: ExplorationLimits(oldReads: oldReads)) { run in
        let words = Words()
        let tasks = threads.map { thread in run.thread { thread(words) } }
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
      let store: Thread = { words in
        words.x.store(1, .relaxed)
        words.y.store(1, .relaxed)
        return []
      }
      let load: Thread = {
        [$0.y.load(.relaxed), $0.x.load(.relaxed), $0.x.load(.relaxed), $0.x.load(.relaxed)]
      }
      let seen = try outcomes(store, load, oldReads: 3)
      #expect(seen.isSuperset(of: ["1000", "1001", "1111"]) && !seen.contains("1010"))
      #expect(!(try outcomes(store, load).contains("1000")))
      let limited = try explore { run in
        let words = Words()
        let threads = [run.thread { store(words) }, run.thread { load(words) }]
        for thread in threads { _ = thread.join() }
      }
      #expect(limited.limitedOldReads && limited.description.contains("old reads limited"))
    }

    /// A thread that stores a value in the word `x`.
    private static func storing(_ value: UInt64, _ ordering: MemoryOrdering = .relaxed) -> Thread {
      { words in
        words.x.store(value, ordering)
        return []
      }
    }

    // MARK: Store buffering: each thread stores one word and loads the other

    typealias Orderings = (store: MemoryOrdering, load: MemoryOrdering)

    static let pairs: [Orderings] = [
      (.relaxed, .relaxed), (.releasing, .acquiring), (.sequentiallyConsistent, .sequentiallyConsistent),
    ]

    @Test(arguments: pairs, pairs)
    func sequentialConsistencyForbidsStoreBuffering(one: Orderings, other: Orderings) throws {
      let seen = try outcomes(
        { [($0.x.store(1, one.store), $0.y.load(one.load)).1] },
        { [($0.y.store(1, other.store), $0.x.load(other.load)).1] })
      let isForbidden = one.load == .sequentiallyConsistent && other.load == .sequentiallyConsistent
      #expect(seen == (isForbidden ? ["01", "10", "11"] : ["00", "01", "10", "11"]))
    }

    @Test func fencesForbidStoreBuffering() throws {
      let seen = try outcomes(
        { words in
          words.x.store(1, .relaxed)
          atomicThreadFence(ordering: .sequentiallyConsistent)
          return [words.y.load(.relaxed)]
        },
        { words in
          words.y.store(1, .relaxed)
          atomicThreadFence(ordering: .sequentiallyConsistent)
          return [words.x.load(.relaxed)]
        })
      #expect(seen == ["01", "10", "11"])
    }

    /// A barrier before the store does not order the later store and load, so both threads may load 0.
    @Test(arguments: [false, true])
    func aBarrierOnAllThreadsForbidsStoreBuffering(isBeforeTheStore: Bool) throws {
      let seen = try outcomes(
        { words in
          if isBeforeTheStore { ProcessBarrier.heavy() }
          words.x.store(1, .relaxed)
          if !isBeforeTheStore { ProcessBarrier.heavy() }
          return [words.y.load(.relaxed)]
        },
        { [($0.y.store(1, .relaxed), $0.x.load(.relaxed)).1] })
      #expect(seen == (isBeforeTheStore ? ["00", "01", "10", "11"] : ["01", "10", "11"]))
    }

    @Test func aFenceMayBeTheFirstOperation() throws {
      let fence: Thread = { words in
        atomicThreadFence(ordering: .sequentiallyConsistent)
        return [words.x.load(.relaxed)]
      }
      #expect(try outcomes(fence, fence) == ["00"])
    }

    // MARK: Message passing: one thread stores a value and then a flag, the other loads the flag and then the
    // value

    @Test(arguments: pairs, pairs)
    func aMessageArrivesWithBothOrderings(storing: Orderings, loading: Orderings) throws {
      let seen = try outcomes(
        { words in
          words.x.store(1, .relaxed)
          words.y.store(1, storing.store)
          return []
        },
        { [$0.y.load(loading.load), $0.x.load(.relaxed)] })
      let arrives = storing.store != .relaxed && loading.load != .relaxed
      #expect(seen == (arrives ? ["00", "01", "11"] : ["00", "01", "10", "11"]))
    }

    @Test func aMessageArrivesWithBothFences() throws {
      let seen = try outcomes(
        { words in
          words.x.store(1, .relaxed)
          atomicThreadFence(ordering: .releasing)
          words.y.store(1, .relaxed)
          return []
        },
        { words in
          let flag = words.y.load(.relaxed)
          atomicThreadFence(ordering: .acquiring)
          return [flag, words.x.load(.relaxed)]
        })
      #expect(seen == ["00", "01", "11"])
    }

    @Test(arguments: [true, false])
    func aMessagePassesThroughAnUpdateAndNotThroughAStore(isUpdate: Bool) throws {
      let seen = try outcomes(
        { words in
          words.x.store(1, .relaxed)
          words.y.store(1, .releasing)
          return []
        },
        { words in
          // Both variants replace 1 by 2 with relaxed ordering. Only the atomic update continues the release
          // sequence.
          if isUpdate {
            _ = words.y.compareExchange(expected: 1, desired: 2, .relaxed)
          } else if words.y.load(.relaxed) == 1 {
            words.y.store(2, .relaxed)
          }
          return []
        },
        { words in
          let flag = words.y.load(.acquiring)
          return flag == 2 ? [words.x.load(.relaxed)] : [9]
        })
      #expect(seen == (isUpdate ? ["1", "9"] : ["0", "1", "9"]))
    }

    // MARK: Load buffering: each thread loads one word and stores the other

    /// The memory model allows both threads to load 1.
    ///
    /// The explorer does not model this outcome, because a load would have to return a value that is stored
    /// after the load.
    @Test func loadBufferingIsNotModelled() throws {
      let seen = try outcomes(
        { words in
          let read = words.x.load(.relaxed)
          words.y.store(1, .relaxed)
          return [read]
        },
        { words in
          let read = words.y.load(.relaxed)
          words.x.store(1, .relaxed)
          return [read]
        })
      #expect(seen == ["00", "01", "10"])
    }

    /// The memory model allows the second thread to read y = 1 and then x = 0, because only sequentially
    /// consistent operations must agree on one order.
    ///
    /// The explorer does not model this outcome, because it orders these operations as it executes them.
    @Test func anOrderOfConsistentOperationsThatContradictsRelaxedLoadsIsNotModelled() throws {
      let seen = try outcomes(
        { words in
          words.x.store(1, .sequentiallyConsistent)
          words.y.store(1, .relaxed)
          return []
        },
        { [$0.y.load(.relaxed), $0.x.load(.sequentiallyConsistent)] })
      #expect(seen == ["00", "01", "11"])
    }

    // MARK: Independent reads of independent writes

    private func independentReads(_ load: MemoryOrdering, _ store: MemoryOrdering) throws -> Set<String> {
      try outcomes(
        Self.storing(1, store),
        { words in
          words.y.store(1, store)
          return []
        },
        { [$0.x.load(load), $0.y.load(load)] }, { [$0.y.load(load), $0.x.load(load)] })
    }

    @Test func readersMayDisagreeOnTheOrderOfStores() throws {
      #expect(try independentReads(.acquiring, .releasing).contains("1010"))
    }

    @Test func sequentiallyConsistentReadersAgreeOnTheOrderOfStores() throws {
      let seen = try independentReads(.sequentiallyConsistent, .sequentiallyConsistent)
      #expect(!seen.contains("1010"))
      #expect(seen.count == 15)
    }

    // MARK: Coherence: one word

    @Test func aThreadReadsNoOlderValueThanBefore() throws {
      let seen = try outcomes(
        { words in
          words.x.store(1, .relaxed)
          words.x.store(2, .relaxed)
          return []
        },
        { [$0.x.load(.relaxed), $0.x.load(.relaxed)] })
      #expect(seen == ["00", "01", "02", "11", "12", "22"])
    }

    @Test func aThreadReadsItsOwnStoreOrALaterOne() throws {
      let seen = try outcomes(
        { words in
          words.x.store(1, .relaxed)
          return [words.x.load(.relaxed)]
        },
        Self.storing(2))
      #expect(seen == ["1", "2"])
    }

    @Test func allThreadsSeeTheStoresOfOneWordInOneOrder() throws {
      let seen = try outcomes(
        Self.storing(1),
        Self.storing(2),
        { [$0.x.load(.relaxed), $0.x.load(.relaxed)] }, { [$0.x.load(.relaxed), $0.x.load(.relaxed)] })
      #expect(seen.contains("1212") && seen.contains("2121"))
      #expect(!seen.contains("1221") && !seen.contains("2112"))
    }

    // MARK: Causality

    @Test func whatAThreadHasSeenIsSeenByWhomItTells() throws {
      let seen = try outcomes(
        Self.storing(1),
        { words in
          let read = words.x.load(.acquiring)
          words.y.store(1, .releasing)
          return [read]
        },
        { [$0.y.load(.acquiring), $0.x.load(.relaxed)] })
      #expect(!seen.contains("110"))
      #expect(seen == ["000", "001", "010", "011", "100", "101", "111"])
    }

    // MARK: Updates

    @Test(arguments: [MemoryOrdering.relaxed, .sequentiallyConsistent])
    func updatesAreNotLost(ordering: MemoryOrdering) throws {
      let add: Thread = { [$0.x.add(1, ordering)] }
      #expect(try outcomes(add, add, showsMemory: true) == ["0120", "1020"])
    }

    @Test func loadsAndStoresLoseUpdates() throws {
      let add: Thread = { words in
        words.x.store(words.x.load(.relaxed) + 1, .relaxed)
        return []
      }
      #expect(try outcomes(add, add, showsMemory: true) == ["10", "20"])
    }

    /// Each of two threads stores 1 to one word, and then 2 to the other word.
    ///
    /// The memory model allows both words to end with 1. The explorer does not model this outcome.
    @Test func storesDoNotOvertakeExecutedStores() throws {
      let seen = try outcomes(
        { words in
          words.x.store(1, .relaxed)
          words.y.store(2, .relaxed)
          return []
        },
        { words in
          words.y.store(1, .relaxed)
          words.x.store(2, .relaxed)
          return []
        }, showsMemory: true)
      #expect(seen == ["12", "21", "22"])
    }
  }
#endif
