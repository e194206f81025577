internal import BenchmarkHarness
internal import Testing

@Suite("Scale")
struct ScaleTests {
  @Test("Linear: from 0, in proportion")
  func linear() {
    let scale = Scale.linear(covering: [10, 40], from: 100, to: 200)
    #expect(scale.place(0) == 100)
    #expect(scale.place(21) == 150)
    #expect(scale.ticks == [0, 10, 20, 30, 40])
    #expect(Scale.linear(covering: [0], from: 0, to: 1).place(0) == 0)
  }

  @Test("Logarithmic: equal factors are equal distances, also upwards on a page")
  func logarithmic() {
    let scale = Scale.logarithmic(covering: [1, 10_000], room: 1, from: 400, to: 0)
    #expect(abs(scale.place(1) - 400) < 1e-9)
    #expect(abs(scale.place(100) - 200) < 1e-9)
    #expect(scale.ticks.count == 5)
    #expect(zip(scale.ticks, [1, 10, 100, 1_000, 10_000]).allSatisfy { abs($0 / $1 - 1) < 1e-9 })
  }

  @Test("A number without a logarithm is at the lower end and does not count")
  func zero() {
    let scale = Scale.logarithmic(covering: [0, -1, .infinity, 2, 8], room: 1, from: 0, to: 100)
    #expect(scale.domain == 2...8)
    #expect(scale.place(0) == 0)
    #expect(Scale.logarithmic(covering: [0], from: 0, to: 1).domain == 0.5...2)
  }

  @Test("Every range has two ticks at least", arguments: [0.3, 1, 7.7, 1e-3, 1e6])
  func ticks(least: Double) {
    for factor in [1.3, 2, 5, 20, 500, 1e5] {
      let scale = Scale.logarithmic(covering: [least, least * factor], from: 0, to: 400)
      #expect(scale.ticks.count >= 2)
      #expect(scale.ticks.count <= 12)
      #expect(scale.ticks.allSatisfy(scale.domain.contains))
    }
  }
}
