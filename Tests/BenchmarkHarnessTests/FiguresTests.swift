internal import BenchmarkHarness
internal import Testing

@Suite("Figures")
struct FiguresTests {
  @Test(
    "A fixed number of digits behind the point",
    arguments: [
      (0, 0, "0"), (0, 2, "0.00"), (1.005, 1, "1.0"), (2.25, 1, "2.3"), (0.04, 1, "0.0"), (-0.04, 1, "0.0"),
      (-1.5, 2, "-1.50"), (999.96, 1, "1000.0"), (0.007, 3, "0.007"), (12, 0, "12"),
    ])
  func fixed(value: Double, decimals: Int, text: String) {
    #expect(Figures.fixed(value, decimals) == text)
  }

  @Test("A figure that is no number is a dash")
  func noNumber() {
    #expect(Figures.fixed(.nan, 2) == "–")
    #expect(Figures.fixed(.infinity, 2) == "–")
    #expect(Figures.percent(nil) == "–")
  }

  @Test(
    "Three digits that mean something",
    arguments: [
      (0.0123, "0.012"), (0.00046, "0.00046"), (0.0099, "0.0099"), (4e-7, "0.00000040"), (0, "0"),
      (0.5, "0.50"), (9.99, "9.99"), (9.996, "10.0"), (12.34, "12.3"), (123.4, "123"),
    ])
  func significant(value: Double, text: String) {
    #expect(Figures.significant(value) == text)
  }

  @Test(
    "A ratio has two digits behind the point, and more where it is small",
    arguments: [(8.253, "8.25×"), (1, "1.00×"), (0.0005, "0.00050×"), (.infinity, "∞×"), (0, "0×")])
  func times(value: Double, text: String) {
    #expect(Figures.times(value) == text)
  }

  @Test(
    "A time has the unit that suits it",
    arguments: [
      (0, "0 ns"), (999, "999 ns"), (1_000, "1.00 µs"), (12_340_000, "12.3 ms"), (2_500_000_000, "2.50 s"),
    ])
  func duration(nanoseconds: Int, text: String) {
    #expect(Figures.duration(nanoseconds: nanoseconds) == text)
  }

  @Test("A spread has a digit behind the point only where it is small")
  func percent() {
    #expect(Figures.percent(0.34) == "±0.3%")
    #expect(Figures.percent(0.96) == "±1%")
    #expect(Figures.percent(12.6) == "±13%")
  }
}
