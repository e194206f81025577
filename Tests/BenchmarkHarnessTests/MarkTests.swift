internal import BenchmarkHarness
internal import Testing

@Suite("Mark")
struct MarkTests {
  @Test("Disturbed figures and figures of a wide spread are marked, the first with the graver mark")
  func marks() {
    #expect(Mark(isDisturbed: false, spread: 10) == nil)
    #expect(Mark(isDisturbed: false, spread: nil) == nil)
    #expect(Mark(isDisturbed: false, spread: 10.1) == .wide)
    #expect(Mark(isDisturbed: true, spread: 0) == .disturbed)
    #expect(Mark(isDisturbed: true, spread: 50) == .disturbed)
  }
}
