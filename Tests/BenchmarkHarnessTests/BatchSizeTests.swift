internal import BenchmarkHarness
internal import Testing

@Suite("Batch size")
struct BatchSizeTests {
  @Test("A batch takes about 20 µs at the speed of one worker, in whole units")
  func suited() {
    // Each operation takes 10 ns.
    #expect(BatchSize.suited(to: .sample(nanoseconds: 10_000, operations: [1_000]), unit: 100) == 2_000)
    // Two workers each do 1000 operations in the same 10 µs, so an operation takes 10 ns, as with one worker.
    #expect(
      BatchSize.suited(to: .sample(nanoseconds: 10_000, operations: [1_000, 1_000]), unit: 100) == 2_000)
    // Each operation takes 30 ns, so 666 operations fit in 20 µs. They are rounded down to a multiple of 100.
    #expect(BatchSize.suited(to: .sample(nanoseconds: 30_000, operations: [1_000]), unit: 100) == 600)
  }

  @Test("A slow contestant has one unit")
  func slow() {
    #expect(BatchSize.suited(to: .sample(nanoseconds: 1_000_000, operations: [100]), unit: 100) == 100)
  }
}
