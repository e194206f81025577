/// The share of writes among the operations.
struct ReadWriteMix: Sendable {
  /// The number of writes in every `period` operations.
  let writes: Int
  let period: Int

  /// Makes a mix.
  ///
  /// - Parameters:
  ///   - reads: The number of reads in every `period` operations.
  ///   - period: A hundred, unless the share needs finer steps.
  init(reads: Int, of period: Int = 100) {
    writes = period - reads
    self.period = period
  }

  /// The number of writes in `count` operations; `count` is a multiple of the period.
  func writes(in count: Int) -> Int {
    precondition(count % period == 0, "\(count) operations can't be divided by \(period)")
    return count / period * writes
  }

  /// The order of a worker's operations, from the start of each batch.
  func turns(of worker: Int) -> Turns {
    // The workers' writes are spread over a period, so that they don't coincide.
    Turns(mix: self, due: worker * 37 * period / 100 % period)
  }

  /// Spreads writes evenly among reads.
  ///
  /// The decision costs an addition and a comparison. A random number would cost as much as a fast lock.
  struct Turns {
    let mix: ReadWriteMix
    var due: Int

    @inline(__always)
    mutating func nextIsWrite() -> Bool {
      due += mix.writes
      guard due >= mix.period else { return false }
      due -= mix.period
      return true
    }
  }
}
