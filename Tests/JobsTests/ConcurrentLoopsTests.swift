import Jobs
import Protectors
import TestSupport
import Testing

@Suite struct ConcurrentLoopsTests {
  private struct Failure: Error, Equatable {
    var number = 0
  }

  /// Counts the calls that run, and those elements that were taken and whose calls have not ended.
  private final class Meter: Sendable {
    private let state = ExclusiveProtector((taken: 0, running: 0, ended: 0, peak: 0, peakTaken: 0))

    var running: Int { state.withLock { $0.running } }
    var taken: Int { state.withLock { $0.taken } }
    var peak: Int { state.withLock { $0.peak } }
    /// The greatest number of elements that were taken and whose calls had not ended.
    var peakTaken: Int { state.withLock { $0.peakTaken } }

    func take() {
      state.withLock {
        $0.taken += 1
        $0.peakTaken = max($0.peakTaken, $0.taken - $0.ended)
      }
    }

    func call() async {
      state.withLock {
        $0.running += 1
        $0.peak = max($0.peak, $0.running)
      }
      await Task.yield()
      state.withLock {
        $0.running -= 1
        $0.ended += 1
      }
    }

    /// The numbers below `count`, each counted when it is taken.
    func numbers(_ count: Int) -> some Sequence<Int> {
      (0..<count).lazy.map { number in
        self.take()
        return number
      }
    }

    func stream(_ count: Int) -> AsyncStream<Int> {
      let next = RelaxedCounter()
      return AsyncStream {
        let number = next.add(1) - 1
        if number >= count { return nil }
        self.take()
        return number
      }
    }
  }

  // MARK: Results

  @Test(arguments: [1, 2, 7, .max]) func resultsAreInOrder(limit: Int) async throws {
    let double: @Sendable (Int) async -> Int = { number in
      for _ in 0..<(100 - number) % 7 { await Task.yield() }
      return number * 2
    }
    let expected = (0..<100).map { $0 * 2 }
    #expect(await (0..<100).concurrentMap(limit: limit, double) == expected)
    #expect(try await Meter().stream(100).concurrentMap(limit: limit, double) == expected)
  }

  @Test func resultsMayBeOptional() async {
    let results = await [1, 2, 3].concurrentMap(limit: 2) { $0 == 2 ? nil : $0 }
    #expect(results == [1, nil, 3])
  }

  @Test func nothingGivesNothing() async throws {
    #expect(await [Int]().concurrentMap(limit: 2) { $0 } == [])
    #expect(try await Meter().stream(0).concurrentMap(limit: 2) { $0 } == [])
    await [Int]().concurrentForEach(limit: 2) { _ in Issue.record() }
  }

  @Test @MainActor func resultsComeInTheCallersIsolation() async throws {
    var shown: [Int: Int] = [:]
    func show(_ index: Int, _ result: Int) {
      MainActor.preconditionIsolated()
      shown[index] = result
    }
    let numbers = await (0..<50).lazy.map { number in
      MainActor.preconditionIsolated()
      return number
    }
    .concurrentMap(limit: 4, onResult: show) { $0 + 1 }
    #expect(numbers == Array(1...50))
    #expect(shown == Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, $0 + 1) }))
    shown = [:]
    _ = try await Meter().stream(50).concurrentMap(limit: 4, onResult: show) { $0 + 1 }
    #expect(shown.count == 50)
  }

  /// A result comes before the call for an earlier element has ended.
  @Test func resultsComeAsSoonAsTheyAreThere() async {
    let gate = TaskGate()
    let opening = RelaxedFlag()
    let numbers = await (0..<2).concurrentMap(
      limit: 2,
      onResult: { index, _ in
        guard index == 1 else { return }
        opening.set()
        Task { await gate.open() }
      }
    ) { number in
      if number == 0 { await gate.pass() }
      return number
    }
    #expect(opening.isSet)
    #expect(numbers == [0, 1])
  }

  // MARK: Limits

  @Test(arguments: [1, 3], [false, true])
  func noMoreCallsRunThanSaid(limit: Int, isAsynchronous: Bool) async throws {
    let meter = Meter()
    if isAsynchronous {
      try await meter.stream(200).concurrentForEach(limit: limit) { _ in await meter.call() }
    } else {
      await meter.numbers(200).concurrentForEach(limit: limit) { _ in await meter.call() }
    }
    #expect(meter.taken == 200)
    #expect(meter.peak <= limit)
    #expect(meter.peakTaken <= limit, "no element is taken before its call can begin")
  }

  @Test func asManyCallsRunAsSaid() async throws {
    let gate = TaskGate()
    let inside = RelaxedCounter()
    let body: @Sendable (Int) async -> Void = { _ in
      if inside.add(1) == 3 { await gate.open() }
      await gate.pass()
    }
    await (0..<10).concurrentForEach(limit: 3, body)
    let (numbers, continuation) = AsyncStream<Int>.makeStream()
    for number in 0..<10 { continuation.yield(number) }
    continuation.finish()
    try await numbers.concurrentForEach(limit: 3, body)
    #expect(inside.value == 20)
  }

  // MARK: Errors

  @Test func theFirstErrorCancelsTheOthersAndIsThrown() async {
    let meter = Meter()
    let cancelled = RelaxedCounter()
    await #expect(throws: Failure(number: 2)) {
      try await meter.numbers(1_000).concurrentForEach(limit: 3) { (number) async throws(Failure) in
        if number == 2 { throw Failure(number: number) }
        while !Task.isCancelled { await Task.yield() }
        cancelled.add(1)
      }
    }
    #expect(cancelled.value == 2)
    #expect(meter.taken == 3)
  }

  @Test func errorsKeepTheirType() async {
    do throws(Failure) {
      _ = try await [1].concurrentMap(limit: 1) { (number) async throws(Failure) -> Int in
        throw Failure(number: number)
      }
      Issue.record("it throws")
    } catch {
      #expect(error.number == 1)
    }
  }

  /// The sequence never has another element, and its iterator waits in vain.
  @Test func anErrorEndsTheWaitForAnElement() async {
    let (numbers, continuation) = AsyncStream<Int>.makeStream()
    continuation.yield(1)
    await #expect(throws: Failure(number: 1)) {
      try await numbers.concurrentForEach(limit: 2) { throw Failure(number: $0) }
    }
    continuation.finish()
  }

  /// The numbers 1, 2 and so on; each but the first comes when the task that awaits it is cancelled.
  private struct NumbersAfterCancellation: AsyncSequence {
    struct AsyncIterator: AsyncIteratorProtocol {
      var last = 0

      mutating func next() async -> Int? {
        while last > 0, !Task.isCancelled { await Task.yield() }
        last += 1
        return last
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
  }

  @Test func anElementThatComesWithAnErrorIsNotLost() async {
    let called = ExclusiveProtector<[Int]>([])
    await #expect(throws: Failure(number: 1)) {
      try await NumbersAfterCancellation().concurrentForEach(limit: 2) { number in
        called.withLock { $0.append(number) }
        throw Failure(number: number)
      }
    }
    #expect(called.value == [1, 2])
  }

  /// A sequence of the number 1, without an end.
  private struct Ones: AsyncSequence {
    struct AsyncIterator: AsyncIteratorProtocol {
      mutating func next() async -> Int? { 1 }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
  }

  @Test func noElementIsAwaitedAfterAnError() async {
    let calls = ExclusiveProtector(0)
    await #expect(throws: Failure(number: 2)) {
      try await Ones().concurrentForEach(limit: 3) { _ in
        let number = calls.withLock { calls in
          calls += 1
          return calls
        }
        if number == 2 { throw Failure(number: number) }
      }
    }
  }

  /// The second call ends because of the error of the first one.
  @Test(arguments: [false, true]) func noResultIsReceivedAfterAnError(isAsynchronous: Bool) async {
    let received = Unguarded<[Int]>([])
    let transform: @Sendable (Int) async throws -> Int = { number in
      if number == 1 { throw Failure(number: number) }
      while !Task.isCancelled { await Task.yield() }
      return number
    }
    await #expect(throws: Failure(number: 1)) {
      if isAsynchronous {
        let (numbers, continuation) = AsyncStream<Int>.makeStream()
        for number in [2, 1] { continuation.yield(number) }
        _ = try await numbers.concurrentMap(limit: 3, onResult: { received.value.append($1) }, transform)
      } else {
        _ = try await [2, 1].concurrentMap(limit: 3, onResult: { received.value.append($1) }, transform)
      }
    }
    #expect(received.value.isEmpty)
  }

  @Test func anErrorOfTheSequenceCancelsTheCalls() async {
    let cancelled = RelaxedCounter()
    let (numbers, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
    await #expect(throws: Failure(number: 7)) {
      continuation.yield(1)
      try await numbers.concurrentForEach(limit: 2) { _ in
        continuation.finish(throwing: Failure(number: 7))
        while !Task.isCancelled { await Task.yield() }
        cancelled.add(1)
      }
    }
    #expect(cancelled.value == 1)
  }

  @Test func cancellationReachesTheCallsAndAllElementsAreTaken() async {
    let started = RelaxedCounter()
    let task = Task {
      await (0..<10).concurrentMap(limit: 2) { _ in
        started.add(1)
        while !Task.isCancelled { await Task.yield() }
        return Task.isCancelled
      }
    }
    while started.value < 2 { await Task.yield() }
    task.cancel()
    #expect(await task.value == Array(repeating: true, count: 10))
  }

  // MARK: Stress

  @Test func manyElements() async throws {
    let count = StressSize.pick(quick: 10_000, full: 1_000_000)
    let lifetimes = Lifetimes()
    let objects = await (0..<count).concurrentMap(limit: 50) { Tracked(lifetimes, number: $0) }
    #expect(objects.map(\.number) == Array(0..<count))
    let others = try await Meter().stream(count).concurrentMap(limit: 50) { Tracked(lifetimes, number: $0) }
    #expect(others.map(\.number) == Array(0..<count))
    #expect(lifetimes.made == 2 * count)
  }
}
