import InterlockCore
import InterlockTasks
import InterlockWaits
import TestSupport
import Testing

@testable import LazyInitialization

/// Tests many tasks and threads that initialise cells at the same time, fail and are cancelled.
@Suite(.serialized) struct OnceCellTasksStressTests {
  private struct Failure: Error {}

  /// A cell, and the unsynchronised variables that its initialisers change.
  private final class Box: Sendable {
    let cell = OnceCell<Int>()
    let tries = Unguarded(0)
    let successes = Unguarded(0)
    let isInside = Unguarded(false)
    let overlaps = RelaxedCounter()

    /// Begins an initialiser.
    func begin() {
      if isInside.value { overlaps.add(1) }
      isInside.value = true
      tries.value += 1
    }

    /// Ends an initialiser.
    func end(throwing: Bool) throws(Failure) -> Int {
      let number = tries.value
      isInside.value = false
      if throwing { throw Failure() }
      successes.value += 1
      return number
    }
  }

  private static let threads = 3
  private static let tasksPerBox = 50

  @Test func oneInitializerAtATimeAndNoneAfterTheFirstThatSucceeds() async {
    let boxes = (0..<StressSize.pick(quick: 200, full: 4_000)).map { _ in Box() }
    async let faultsOfThreads = Self.onThreads(boxes)
    var faults = 0
    for (number, box) in boxes.enumerated() {
      var random = Seed.current.generator(stream: 1_000 + number)
      var tasks: [(isCancelled: Bool, task: Task<Result<Int, any Error>, Never>)] = []
      for _ in 0..<Self.tasksPerBox {
        let throwing = random.happens(percent: 60)
        let yields = random.next() % 3
        let task = Task.detached { () -> Result<Int, any Error> in
          do {
            return .success(
              try await box.cell.value(orInitialize: {
                box.begin()
                for _ in 0..<yields { await Task.yield() }
                return try box.end(throwing: throwing)
              }))
          } catch {
            return .failure(error)
          }
        }
        tasks.append((random.happens(percent: 30), task))
        if tasks.last!.isCancelled, random.happens(percent: 50) { task.cancel() }
      }
      for (isCancelled, task) in tasks where isCancelled { task.cancel() }
      for (isCancelled, task) in tasks {
        switch await task.value {
        case .success(let value): if value != box.cell.value { faults += 1 }
        case .failure(is CancellationError): if !isCancelled { faults += 1 }
        case .failure: break
        }
      }
    }
    #expect(faults == 0, "\(Seed.current)")
    let others = await faultsOfThreads
    #expect(others == 0, "\(Seed.current)")
    for box in boxes {
      #expect(box.overlaps.value == 0, "\(Seed.current)")
      #expect(box.successes.value == (box.cell.isComplete ? 1 : 0), "\(Seed.current)")
      #expect(TaskWaiterTable.queue(of: box.cell.core.state.key) == nil)
    }
  }

  /// Initialises the cells on threads, which don't block the tasks' pool; returns how many values were wrong.
  private static func onThreads(_ boxes: [Box]) async -> Int {
    await onAThread {
      let faults = race(threads: threads, limit: Watchdog.limit * 5) { index -> Int in
        var random = Seed.current.generator(stream: index)
        return boxes.count { box in
          let throwing = random.happens(percent: 60)
          do throws(Failure) {
            let value = try box.cell.value(orInitialize: { () throws(Failure) in
              box.begin()
              PlatformThread.yield()
              return try box.end(throwing: throwing)
            })
            return value != box.cell.value
          } catch {
            return false
          }
        }
      }
      return faults.reduce(0, +)
    }
  }
}
