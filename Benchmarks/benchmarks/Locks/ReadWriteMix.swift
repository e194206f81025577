/// The share of writes among the operations.
struct ReadWriteMix: Sendable {
  /// The number of writes in every `period` operations.
  let writes: Int
  let period: Int

  /// Makes a mix.
  ///
  /// - Parameters:
  ///   - reads: The number of reads in every `period` operations.
  ///   - period: The number of operations after which the mix repeats. With 100, `reads` is a percentage.
  init(reads: Int, of period: Int = 100) {
    writes = period - reads
    self.period = period
  }

  /// The number of writes in `count` operations; traps unless `count` is a multiple of `period`.
  func writes(in count: Int) -> Int {
    precondition(count % period == 0, "\(count) operations can't be divided by \(period)")
    return count / period * writes
  }

  /// The sequence of a worker's reads and writes; each batch starts a new one.
  func turns(of worker: Int) -> Turns {
    // Each worker begins at a different point of the period, so that the writes of workers don't coincide.
    Turns(mix: self, due: worker * 37 * period / 100 % period)
  }

  /// Decides for each operation whether it is a write, and spreads the writes evenly among the reads.
  ///
  /// A decision costs an addition and a comparison. A random number would cost as much as a fast lock.
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
