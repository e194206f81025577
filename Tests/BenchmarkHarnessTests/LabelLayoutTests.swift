internal import BenchmarkHarness
internal import Testing

@Suite("Label layout")
struct LabelLayoutTests {
  @Test("Labels that are far enough apart stay where they are")
  func apart() {
    #expect(LabelLayout.spread([10, 50, 30], gap: 15, within: 0...100) == [10, 50, 30])
    #expect(LabelLayout.spread([], gap: 15, within: 0...100).isEmpty)
    #expect(LabelLayout.spread([120], gap: 15, within: 0...100) == [100])
  }

  @Test("Labels that collide move apart evenly")
  func collision() {
    #expect(LabelLayout.spread([50, 50], gap: 10, within: 0...100) == [45, 55])
    #expect(LabelLayout.spread([50, 52, 51], gap: 10, within: 0...100) == [41, 61, 51])
  }

  @Test("They stay inside, and in their order, and shrink their distance where there is no room")
  func bounds() {
    #expect(LabelLayout.spread([0, 0, 0], gap: 10, within: 0...100) == [0, 10, 20])
    #expect(LabelLayout.spread([100, 100], gap: 10, within: 0...100) == [90, 100])
    #expect(LabelLayout.spread([5, 5, 5], gap: 100, within: 0...10) == [0, 5, 10])
  }

  @Test("No two are closer than the gap, whatever the positions")
  func always() {
    for seed in 0..<200 {
      let positions = (0..<12).map { Double(($0 * 7919 + seed * 104_729) % 300) }
      let places = LabelLayout.spread(positions, gap: 15, within: 0...400)
      let sorted = places.sorted()
      for (lower, upper) in zip(sorted, sorted.dropFirst()) {
        #expect(upper - lower >= 15 - 1e-9)
      }
      #expect(sorted.first ?? 0 >= -1e-9 && sorted.last ?? 0 <= 400 + 1e-9)
      for (left, right) in zip(positions.indices, positions.indices.dropFirst())
      where positions[left] < positions[right] {
        #expect(places[left] < places[right])
      }
    }
  }

  @Test("Labels of an axis are left out where they would touch")
  func thinning() {
    #expect(LabelLayout.shown(at: [0, 30, 60], widths: [20, 20, 20], space: 5) == [0, 1, 2])
    #expect(LabelLayout.shown(at: [0, 20, 40, 60], widths: [20, 20, 20, 20], space: 5) == [0, 2])
  }
}
