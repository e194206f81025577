internal import BenchmarkHarness
internal import Testing

@Suite("Batch size")
struct BatchSizeTests {
  @Test("A batch takes about 20 µs at the speed of one worker, in whole units")
  func suited() {
    // Each operation takes 10 ns.
    #expect(BatchSize.suited(to: .sample(nanoseconds: 10_000, operations: [1_000]), unit: 100) == 2_000)
    // Two workers that each do 1000 operations in 10 µs need 10 ns for an operation, like one such worker.
    #expect(
      BatchSize.suited(to: .sample(nanoseconds: 10_000, operations: [1_000, 1_000]), unit: 100) == 2_000)
    // At 30 ns for an operation, 666 operations fit in 20 µs. The unit is 100, so 666 is rounded down to 600.
    #expect(BatchSize.suited(to: .sample(nanoseconds: 30_000, operations: [1_000]), unit: 100) == 600)
  }

  @Test("A slow contestant has one unit")
  func slow() {
    #expect(BatchSize.suited(to: .sample(nanoseconds: 1_000_000, operations: [100]), unit: 100) == 100)
  }
}
