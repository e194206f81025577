/// Which share of the operations are writes.
struct ReadWriteMix: Sendable {
  let writesPerHundred: Int

  init(readsPerHundred: Int) {
    writesPerHundred = 100 - readsPerHundred
  }

  /// How many of `count` operations are writes; `count` is a multiple of 100.
  func writes(in count: Int) -> Int {
    precondition(count % 100 == 0, "\(count) operations can't be divided by percentages")
    return count / 100 * writesPerHundred
  }

  /// The order of a worker's operations, from the start of each batch.
  func turns(of worker: Int) -> Turns {
    // Spread over a hundred, so that the workers don't write at the same moments.
    Turns(writesPerHundred: writesPerHundred, due: worker * 37 % 100)
  }

  /// Writes evenly spread among reads.
  ///
  /// Deciding costs an addition and a comparison; drawing random numbers would cost
  /// as much as a fast lock.
  struct Turns {
    let writesPerHundred: Int
    var due: Int

    @inline(__always)
    mutating func nextIsWrite() -> Bool {
      due += writesPerHundred
      guard due >= 100 else { return false }
      due -= 100
      return true
    }
  }
}
