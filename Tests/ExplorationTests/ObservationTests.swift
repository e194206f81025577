#if Exploration
  import Exploration
  import Observers
  import Protectors
  import Testing

  /// Tests that what a thread observes without an operation on a word is explored: the ends of objects, and
  /// cancellation.
  @Suite(.serialized) struct ObservationTests {
    private final class Object: Sendable {}

    /// The only reference to an object, which a thread can drop.
    private final class Owner: @unchecked Sendable {
      var object: Object? = Object()
      weak var weakly: Object?

      init() { weakly = object }
    }

    @Test(arguments: [nil, 1] as [Int?])
    func aReferencedObjectEndsBeforeAndAfterItIsRead(preemptions: Int?) throws {
      let seen = try results("a weak reference of the library", .exhaustive(preemptions: preemptions)) {
        run in
        let owner = Owner()
        let reference = WeakReference(owner.object!)
        let thread = run.thread { owner.object = nil }
        let isAlive = reference.object != nil
        thread.join()
        return isAlive
      }
      #expect(seen == [true, false])
    }

    @Test func aWeakReferenceOfTheProgramIsReadBeforeAndAfterTheEndOfItsObject() throws {
      let seen = try results("a weak reference") { run in
        let owner = Owner()
        let thread = run.thread { owner.object = nil }
        let areAlive = [owner.weakly != nil, owner.weakly != nil]
        thread.join()
        return areAlive
      }
      #expect(seen == [[true, true], [true, false], [false, false]])
      // Two releases in one step of a thread are not divided.
      let summary = try explore(.exhaustive()) { run in
        let owners = [Owner(), Owner()]
        let thread = run.thread { for owner in owners { owner.object = nil } }
        _ = owners.map { $0.weakly != nil }
        thread.join()
      }
      #expect(!summary.isExhaustive && summary.hasUndividedSteps && !summary.reachedLimit)
    }

    @Test func observersEndBeforeAndAfterTheirCall() throws {
      let seen = try results("a call of observers beside their end") { run in
        let observers = WeakObservers<Object>()
        let owner = Owner()
        observers.add(whileAlive: owner.object!)
        let thread = run.thread { owner.object = nil }
        var count = 0
        observers.forEach { _ in count += 1 }
        thread.join()
        return count
      }
      #expect(seen == [0, 1])
    }

    private enum Check: CaseIterable {
      case task, throwing, unsafe, group

      func isCancelled(_ group: TaskGroup<Void>) -> Bool {
        switch self {
        case .task: Task.isCancelled
        case .throwing: (try? Task.checkCancellation()) == nil
        case .unsafe: withUnsafeCurrentTask { $0!.isCancelled }
        case .group: group.isCancelled
        }
      }
    }

    @Test(arguments: Check.allCases)
    private func aTaskIsCancelledBetweenTwoChecks(check: Check) throws {
      let seen = try results("two checks, \(check)") { run in
        let task = run.task(mayBeCancelled: true) {
          await withTaskGroup { group in [check.isCancelled(group), check.isCancelled(group)] }
        }
        return task.join()
      }
      #expect(seen == [[false, false], [false, true], [true, true]])
    }

    @Test func anotherTaskIsCancelledBetweenTwoChecks() throws {
      let seen = try results("two checks of a task's handle", .exhaustive(preemptions: 1)) { run in
        let other = Protector<Task<Void, Never>?>(nil)
        let task = run.task { other.withWriteLock { $0 = Task { await Task.yield() } } }
        task.join()
        let handle = other.withReadLock { $0! }
        let thread = run.thread { handle.cancel() }
        let checks = [handle.isCancelled, handle.isCancelled]
        thread.join()
        return checks
      }
      #expect(seen == [[false, false], [false, true], [true, true]])
    }
  }
#endif
