internal import BenchmarkHarness
internal import Synchronization

/// Makes contestants whose threads repeatedly hand a turn or an element to one another.
///
/// The harness runs each contestant on one worker. The worker runs a batch on the threads of `crew`, and
/// waits until all of them have finished, so that no thread waits for a partner that has already stopped.
enum HandOffTrial {
  /// The threads that run the batches of all trials; only one trial runs at a time.
  private static let crew = WorkerPool(count: 8)

  /// Makes a `Contestant` of two threads that take turns; an operation is a turn.
  static func pingPong(_ name: String, _ turns: some TurnTaking) -> Contestant {
    Contestant(name: name) { _, count in
      crew.run(on: 2) { player in
        for _ in 0..<(count / 2) { turns.takeTurn(player) }
      }
      return count
    }
  }

  /// Makes a `Contestant` of `pairs` producers and `pairs` consumers with a bounded queue.
  ///
  /// An operation is an element that passes through the queue. `pairs` must be at most 4, because `crew` has
  /// eight threads.
  static func queue(_ name: String, _ queue: some BoundedQueue, pairs: Int) -> Contestant {
    let pushed = IsolatedBox(Atomic(0))
    let popped = IsolatedBox(Atomic(0))
    return Contestant(
      name: name,
      batch: { _, count in
        let share = count / pairs
        crew.run(on: pairs * 2) { worker in
          var sum = 0
          if worker < pairs {
            for element in 0..<share {
              queue.push(element &+ worker)
              sum &+= element &+ worker
            }
            pushed.pointer.pointee.wrappingAdd(sum, ordering: .relaxed)
          } else {
            for _ in 0..<share { sum &+= queue.pop() }
            popped.pointer.pointee.wrappingAdd(sum, ordering: .relaxed)
          }
        }
        return count
      },
      audit: {
        let sums = (
          pushed.pointer.pointee.load(ordering: .relaxed), popped.pointer.pointee.load(ordering: .relaxed)
        )
        return sums.0 == sums.1 ? nil : "the elements that came out are not those that went in"
      })
  }
}
