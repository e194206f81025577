#if Exploration
  import Exploration
  import LazyInitialization
  import Testing

  /// Explores `Once` and `OnceCell`.
  @Suite(.serialized) struct InitializationScheduleTests {
    final class Lazies: Sendable {
      let once = Once()
      let cell = OnceCell<Int>()
      let objects = OnceCell<Object>()
      let value = ExploredCell(0)
    }

    final class Object: Sendable {
      let cell = ExploredCell(0)

      init(_ value: Int) { cell.value = value }
    }

    struct Refused: Error {}

    @Test(arguments: [2, 3])
    func aBodyOfOnceRunsOnce(threads: Int) throws {
      try check("Once, \(threads) threads", .exhaustive(preemptions: threads == 2 ? nil : 2)) { run in
        let lazies = Lazies()
        let tasks = (0..<threads).map { _ in
          run.thread {
            lazies.once.run { lazies.value.value += 1 }
            return lazies.value.value
          }
        }
        for task in tasks { run.expect(task.join() == 1) }
      }
    }

    /// The body that `Once` runs after a throwing body must see the changes that the throwing body has made.
    @Test(arguments: [2, 3])
    func aBodyOfOnceThatThrowsLeavesTheWorkToAnother(threads: Int) throws {
      try check("Once, one of \(threads) bodies throws", .exhaustive(preemptions: threads == 2 ? nil : 2)) {
        run in
        let lazies = Lazies()
        let refused = run.thread {
          try? lazies.once.run { () throws(Refused) in
            lazies.value.value += 1
            throw Refused()
          }
        }
        let others = (1..<threads).map { _ in run.thread { lazies.once.run { lazies.value.value += 1 } } }
        for other in others { other.join() }
        // A result of `nil` means that the throwing body has run. Otherwise another body has succeeded first,
        // so the value need not be checked.
        run.expect((1...2).contains(refused.join() == nil ? lazies.value.value : 1))
      }
    }

    @Test func aCellIsInitializedOnce() throws {
      try check("OnceCell") { run in
        let lazies = Lazies()
        let one = run.thread { lazies.cell.value { 1 } }
        let two = run.thread { lazies.cell.value { 2 } }
        run.expect(one.join() == two.join(), "both see one value")
      }
    }

    @Test func whoeverFindsTheObjectOfACellFindsItsState() throws {
      try check("OnceCell, an object") { run in
        let lazies = Lazies()
        let one = run.thread { lazies.objects.value { Object(1) }.cell.value }
        let two = run.thread { lazies.objects.value { Object(1) }.cell.value }
        run.expect((lazies.objects.value?.cell.value ?? 1) == 1)
        run.expect(one.join() == 1 && two.join() == 1)
      }
    }

    @Test func anInitializerThatThrowsLeavesTheCellToAnother() throws {
      try check("OnceCell, one initialiser throws") { run in
        let lazies = Lazies()
        let one = run.thread { try? lazies.cell.value { () throws(Refused) in throw Refused() } }
        let two = run.thread { lazies.cell.value { 2 } }
        run.expect(two.join() == 2)
        let seen = one.join()
        run.expect(seen == nil || seen == 2)
      }
    }
  }
#endif
