import Testing

@testable import Jobs

/// Tests `JobGroupState`, which decides when jobs begin and when their group completes, in every order of
/// events.
@Suite struct JobGroupStateTests {
  private struct Failure: Error, Equatable {
    let number: Int
  }

  /// A `JobGroupState`, with a record of the work items that were enqueued and the jobs that run or have
  /// ended.
  private struct World {
    var state: JobGroupState<Int, Failure>
    let limit: Int
    var added = 0
    var started = 0
    var running: [Int] = []
    var isOpen = true
    var failed: [Int] = []
    var results: [Result<Void, Failure>] = []

    init(limit: Int) {
      self.limit = limit
      state = JobGroupState(limit: limit)
    }

    mutating func perform(_ action: JobGroupState<Int, Failure>.Action) {
      switch action {
      case .nothing: break
      case .startWork: started += 1
      case .complete(let result): results.append(result)
      }
    }

    mutating func add() {
      added += 1
      perform(state.add(added))
    }

    mutating func close() {
      isOpen = false
      perform(state.close())
    }

    mutating func begin() {
      started -= 1
      let next = state.begin()
      #expect(next.number == next.job)
      running.append(next.number)
    }

    mutating func end(at index: Int, failing: Bool) {
      let number = running.remove(at: index)
      ended += 1
      if failing { failed.append(number) }
      var error = failing ? Failure(number: number) : nil
      perform(state.end(number, &error))
    }

    private(set) var ended = 0

    /// Whether all invariants hold.
    var isRight: Bool {
      let isDone = !isOpen && ended == added
      guard results.count == (isDone ? 1 : 0) else { return false }
      guard started + running.count == min(limit, added - ended) else { return false }
      // Jobs must begin in the order of their numbers, so the number of a running job must not exceed the
      // count of jobs that have begun.
      guard running.allSatisfy({ $0 <= ended + running.count }) else { return false }
      guard isDone else { return true }
      switch results[0] {
      case .success: return failed.isEmpty
      case .failure(let failure): return failure.number == failed.min()
      }
    }

    /// The worlds after each possible next step: adding, beginning or ending a job, or closing the group.
    var next: [World] {
      var worlds: [World] = []
      func branch(_ step: (inout World) -> Void) {
        var world = self
        step(&world)
        worlds.append(world)
      }
      if isOpen || !running.isEmpty { branch { $0.add() } }
      if isOpen { branch { $0.close() } }
      if started > 0 { branch { $0.begin() } }
      for index in running.indices {
        branch { $0.end(at: index, failing: false) }
        branch { $0.end(at: index, failing: true) }
      }
      return worlds
    }
  }

  @Test("an error that is not kept is left to the caller, who destroys it outside of the lock")
  func errorsThatAreNotKept() {
    var state = JobGroupState<Int, Failure>(limit: 3)
    for number in 1...3 { _ = state.add(number) }
    for (number, left) in [(2, nil), (3, 3), (1, 2)] as [(Int, Int?)] {
      var error: Failure? = Failure(number: number)
      _ = state.end(number, &error)
      #expect(error?.number == left)
    }
  }

  @Test(
    "in every sequence of steps a group completes once, when all is done", arguments: 1...3)
  func everySequence(limit: Int) {
    var worlds = [(world: World(limit: limit), sequences: 1)]
    var completed = 0
    for _ in 0..<11 {
      // Sequences that lead to the same world go on alike. The description has all of it, the state included.
      let next = worlds.flatMap { world, sequences in
        world.next.map { ("\($0)", (world: $0, sequences: sequences)) }
      }
      worlds = Array(Dictionary(next) { ($0.world, $0.sequences + $1.sequences) }.values)
      let wrong = worlds.first { !$0.world.isRight }
      #expect(wrong == nil)
      if wrong != nil { return }
      for (world, sequences) in worlds where !world.results.isEmpty { completed += sequences }
    }
    #expect(completed > 500)
  }
}
