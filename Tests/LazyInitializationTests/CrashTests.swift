import LazyInitialization
import TestSupport
import Testing

/// Tests that recursion, and a run that waits for itself, trap with a message; each misuse is committed in a process of
/// its own.
@Suite struct CrashTests {
  private static let splitting = "compute what it needs before, or split the work in two"

  private static let ownKey =
    "SingleFlight: waited for a key inside the run for that key; "
    + "make the value in the run itself, or use another key"

  private static let cycle =
    "SingleFlight: waited for a run that waits for the calling one; "
    + "make one of the values without the other, or both in one run"

  private static let misuses = [
    Misuse("Once: run called from inside its own body", splitting) {
      let once = Once()
      once.run { once.run {} }
    },
    // While other threads wait.
    Misuse("Once: run called from inside its own body", splitting) {
      let once = Once()
      race(threads: 4) { _ in
        once.run {
          MonotonicClock.sleep(.milliseconds(20))
          once.run {}
        }
      }
    },
    Misuse("OnceCell: initialized from inside its own initializer", splitting) {
      onAnotherThread {
        let cell = OnceCell<Int>()
        _ = cell.value(orInitialize: { cell.value(orInitialize: { 1 }) })
      }
    },
    Misuse("OnceCell: set called from inside its own initializer", splitting) {
      onAnotherThread {
        let cell = OnceCell<Int>()
        _ = cell.value(orInitialize: { cell.set(1) ?? 2 })
      }
    },
    Misuse("OnceCell: initialized from inside its own initializer", splitting) {
      let cell = OnceCell<Int>()
      _ = try? await cell.value(orInitialize: {
        await Task.yield()
        return try await cell.value(orInitialize: { 1 })
      })
    },
    // Without the trap, `set` would block its thread until the initialiser that calls it had ended: a deadlock.
    Misuse("OnceCell: set called from inside its own initializer", splitting) {
      let cell = OnceCell<Int>()
      _ = try? await cell.value(orInitialize: {
        await Task.yield()
        return cell.set(1) ?? 2
      })
    },
    Misuse("Lazy: value read from inside the closure that makes it", splitting) {
      let lazy = Unguarded<Lazy<Int>?>(nil)
      lazy.value = Lazy { lazy.value!.value + 1 }
      _ = lazy.value!.value
    },
    Misuse(ownKey) {
      let flights = SingleFlight<String, Int>()
      _ = try? await flights.value(for: "a") {
        await Task.yield()
        return try await flights.value(for: "a") { 1 }
      }
    },
    // In a child task.
    Misuse(ownKey) {
      let flights = SingleFlight<String, Int>()
      _ = try? await flights.value(for: "a") {
        async let value = flights.value(for: "a") { 1 }
        return try await value
      }
    },
    // In a child task of a child task.
    Misuse(ownKey) {
      let flights = SingleFlight<String, Int>()
      _ = try? await flights.value(for: "a") {
        try await withThrowingTaskGroup { group in
          group.addTask {
            async let value = flights.value(for: "a") { 1 }
            return try await value
          }
          return try await group.next()!
        }
      }
    },
    // Through other keys.
    Misuse(cycle) {
      let flights = SingleFlight<Int, Int>()
      @Sendable func value(for key: Int) async throws -> Int {
        try await flights.value(for: key) { try await value(for: (key + 1) % 3) }
      }
      _ = try? await value(for: 0)
    },
    // Where neither run has begun the other.
    Misuse(cycle) {
      let flights = SingleFlight<Int, Int>()
      let begun = [TaskGate(), TaskGate()]
      @Sendable func value(for key: Int) async throws -> Int {
        try await flights.value(for: key) {
          await begun[key].open()
          await begun[1 - key].pass()
          return try await value(for: 1 - key)
        }
      }
      async let other = value(for: 1)
      _ = try? await (value(for: 0), other)
    },
  ]

  @Test(arguments: misuses.indices) func misuseTraps(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      try await Self.misuses[index].commit()
    }
    #expect(result?.standardErrorContent.trap == Self.misuses[index].message)
  }
}
