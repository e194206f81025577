internal import BenchmarkHarness

extension Target {
  static var publishedValue: [Target] {
    func path(_ name: String, threads: Int, publications: Int) -> Path {
      Path(
        Suite.publishedValueName, Suite.publishedValueGroup(threads: threads),
        Suite.publishedValueTitle(publications: publications), name)
    }
    func publication(_ name: String) -> Path {
      Path(Suite.publishedValueName, Suite.publicationGroup, Suite.publicationTitle, name)
    }
    let reads = Suite.publishingThreads.flatMap { threads in
      Suite.publications.flatMap { publications in
        func ratio(_ name: String, over other: String, atLeast bound: Double) -> Target {
          let group = Suite.publishedValueGroup(threads: threads)
          let title = Suite.publishedValueTitle(publications: publications)
          return Target(
            "\(group), \(title): \(name) / \(other), reads",
            .ratio(
              path(name, threads: threads, publications: publications),
              over: path(other, threads: threads, publications: publications)), .atLeast(bound))
        }
        return [
          ratio(PublishedValueName.snapshot, over: PublishedValueName.exchanging, atLeast: 3),
          ratio(PublishedValueName.snapshot, over: PublishedValueName.protector, atLeast: 2),
          ratio(PublishedValueName.exchanging, over: PublishedValueName.protector, atLeast: 1),
          ratio(PublishedValueName.snapshot, over: PublishedValueName.unprotected, atLeast: 1.0 / 3),
        ]
      }
    }
    return reads + [
      Target(
        "0 publications/s: Snapshot, 2 readers / 1 reader, reads",
        .ratio(
          path(PublishedValueName.snapshot, threads: 2, publications: 0),
          over: path(PublishedValueName.snapshot, threads: 1, publications: 0)), .atLeast(1.8)),
      Target(
        "publications: beside a reader that stays for a second / without one, time",
        .ratio(publication(PublishedValueName.besideReader), over: publication(PublishedValueName.alone)),
        .atMost(2)),
    ]
  }
}
