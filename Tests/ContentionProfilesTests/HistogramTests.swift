@testable import ContentionProfiles
import Testing

@Suite("Histogram")
struct HistogramTests {
  @Test("The middle of a duration's bucket is within 6 % of the duration")
  func middles() {
    for octave in 8..<40 {
      for step in UInt64(0)..<64 {
        let duration = (64 + step) << UInt64(octave - 6)
        let middle = Double(Histogram.middle(ofBucket: Histogram.bucket(of: duration)))
        #expect(abs(middle / Double(duration) - 1) <= 0.0626, "\(duration)")
      }
    }
  }

  @Test("Every duration has a bucket")
  func extremes() {
    #expect(Histogram.bucket(of: 0) == 0)
    #expect(Histogram.bucket(of: .max) == Histogram.bucketCount - 1)
  }

  @Test("A quantile is that of the sorted durations")
  func quantiles() {
    // Counts each of the durations from 1 µs to 1000 µs once.
    var counts = [UInt64](repeating: 0, count: Histogram.bucketCount)
    for microseconds in UInt64(1)...1000 { counts[Histogram.bucket(of: microseconds * 1000)] += 1 }
    for (part, exact) in [(0.5, 500_000.0), (0.99, 990_000), (0.001, 1000)] {
      #expect(abs(Double(Histogram.quantile(part, of: counts)) / exact - 1) <= 0.0626, "\(part)")
    }
  }
}
