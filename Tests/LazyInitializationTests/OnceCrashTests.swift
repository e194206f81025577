import LazyInitialization
import TestSupport
import Testing

/// Tests that recursion traps with a message; each test runs in a process of its own.
@Suite struct OnceCrashTests {
  @Test func runInsideItsOwnBodyTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let once = Once()
      once.run { once.run {} }
    }
    #expect(
      result?.standardErrorContent.trap == "Once: run called from inside its own body; "
        + "compute what it needs before, or split the work in two")
  }

  @Test func runInsideItsOwnBodyTrapsWhileOthersWait() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let once = Once()
      race(threads: 4) { _ in
        once.run {
          MonotonicClock.sleep(.milliseconds(20))
          once.run {}
        }
      }
    }
    #expect(
      result?.standardErrorContent.trap?.hasPrefix("Once: run called from inside its own body; ")
        == true)
  }

  @Test func initializingACellInsideItsInitializerTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      onAnotherThread {
        let cell = OnceCell<Int>()
        _ = cell.value(orInitialize: { cell.value(orInitialize: { 1 }) })
      }
    }
    #expect(
      result?.standardErrorContent.trap == "OnceCell: initialized from inside its own initializer; "
        + "compute what it needs before, or split the work in two")
  }

  @Test func settingACellInsideItsInitializerTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      onAnotherThread {
        let cell = OnceCell<Int>()
        _ = cell.value(orInitialize: { cell.set(1) ?? 2 })
      }
    }
    #expect(
      result?.standardErrorContent.trap == "OnceCell: set called from inside its own initializer; "
        + "compute what it needs before, or split the work in two")
  }

  @Test func initializingACellInsideTheInitializerOfATaskTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let cell = OnceCell<Int>()
      _ = await cell.value(orInitialize: {
        await Task.yield()
        return await cell.value(orInitialize: { 1 })
      })
    }
    #expect(
      result?.standardErrorContent.trap == "OnceCell: initialized from inside its own initializer; "
        + "compute what it needs before, or split the work in two")
  }

  /// Without the trap, `set` would block its thread until the initialiser that calls it had ended: a
  /// deadlock.
  @Test func settingACellInsideTheInitializerOfATaskTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let cell = OnceCell<Int>()
      _ = await cell.value(orInitialize: {
        await Task.yield()
        return cell.set(1) ?? 2
      })
    }
    #expect(
      result?.standardErrorContent.trap == "OnceCell: set called from inside its own initializer; "
        + "compute what it needs before, or split the work in two")
  }

  @Test func aLazyValueThatNeedsItselfTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let lazy = Unguarded<Lazy<Int>?>(nil)
      lazy.value = Lazy { lazy.value!.value + 1 }
      _ = lazy.value!.value
    }
    #expect(
      result?.standardErrorContent.trap == "Lazy: value read from inside the closure that makes it; "
        + "compute what it needs before, or split the work in two")
  }
}
