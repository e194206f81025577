internal import Jobs
internal import Protectors

extension RowsSnapshot {
  /// The indices of the rows whose texts contain `text`, in order; `nil` if the task is cancelled.
  ///
  /// All processors search. The search is one job, because it computes for long: it occupies no thread on
  /// which tasks run. A cancelled search ends within a thousand rows of each thread.
  ///
  /// - Parameters:
  ///   - text: Compared byte by byte, so capital letters differ from small ones. All rows contain an empty text.
  ///   - progress: Called on several threads with the number of rows that one of them has searched.
  /// - Complexity: O(*n*) in the length of all texts.
  @concurrent
  public func search(
    for text: String, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async -> [Int]? {
    let bytes = Array(text.utf8)
    let found = ExclusiveProtector<[Int]?>(nil, label: "search")
    await withJobs { jobs in
      jobs.add { job in
        let parts = stride(from: 0, to: count, by: 1_000).map { $0..<Swift.min($0 + 1_000, count) }
        let parted = parts.concurrentMap { part -> [Int] in
          if job.isCancelled { return [] }
          defer { progress(part.count) }
          return matches(of: bytes, in: part)
        }
        if !job.isCancelled { found.exchange(Array(parted.joined())) }
      }
    }
    return found.exchange(nil)
  }

  private func matches(of bytes: [UInt8], in part: Range<Int>) -> [Int] {
    var matches: [Int] = []
    visit(part) { index, row in
      if Self.contains(bytes, in: row.text) { matches.append(index) }
      return true
    }
    return matches
  }

  private static func contains(_ bytes: [UInt8], in text: String) -> Bool {
    guard let first = bytes.first else { return true }
    var rest = text.utf8[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: bytes) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
