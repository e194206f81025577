internal import Jobs
internal import Protectors

extension RowsSnapshot {
  /// Searches the texts of the rows on all processors.
  ///
  /// The search occupies none of the threads on which tasks run. After a cancellation, each searching thread
  /// ends after at most a thousand further rows.
  ///
  /// - Parameters:
  ///   - text: The text to find. It is compared byte by byte, so case matters. All rows contain an empty
  ///     text.
  ///   - progress: Called after each searched part of at most a thousand rows, with the part's number of
  ///     rows. Several threads call it at the same time.
  /// - Returns: The indices of the rows whose texts contain `text`, ascending; `nil` if the task is
  ///   cancelled.
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
