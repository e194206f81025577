internal import BenchmarkHarness
internal import Testing

@Suite("Storage of the workers")
struct WorkerStorageTests {
  @Test("Each worker has its own value")
  func values() {
    let counters = PerWorker(count: 3, repeating: 1)
    counters[1] += 5
    #expect(counters.values == [1, 6, 1])
  }

  @Test("A box is aligned to two cache lines and destroys its value")
  func box() {
    final class Witness: Sendable {}
    weak var witness: Witness?
    do {
      let box = IsolatedBox(Witness())
      witness = box.pointer.pointee
      #expect(UInt(bitPattern: box.pointer) % 128 == 0)
      #expect(witness != nil)
    }
    #expect(witness == nil)
  }
}
