/// Which share of the operations are writes.
struct ReadWriteMix: Sendable {
  /// How many of every `period` operations are writes.
  let writes: Int
  let period: Int

  /// - Parameters:
  ///   - reads: How many of every `period` operations are reads.
  ///   - period: A hundred, unless the share needs finer steps.
  init(reads: Int, of period: Int = 100) {
    writes = period - reads
    self.period = period
  }

  /// How many of `count` operations are writes; `count` is a multiple of the period.
  func writes(in count: Int) -> Int {
    precondition(count % period == 0, "\(count) operations can't be divided by \(period)")
    return count / period * writes
  }

  /// The order of a worker's operations, from the start of each batch.
  func turns(of worker: Int) -> Turns {
    // Spread over a period, so that the workers don't write at the same moments.
    Turns(mix: self, due: worker * 37 * period / 100 % period)
  }

  /// Writes evenly spread among reads.
  ///
  /// Deciding costs an addition and a comparison; drawing random numbers would cost
  /// as much as a fast lock.
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
