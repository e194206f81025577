internal import BenchmarkHarness

/// The names of the implementations in the suite "snapshots of a value", as its result tables show them.
enum PublishedValueName {
  static let unprotected = "unprotected load"
  static let snapshot = "Snapshot"
  static let exchanging = "Snapshot, with an exchange"
  static let protector = "Protector"
  static let alone = "publication, no reader"
  static let besideReader = "publication, a reader stays for a second"
}

extension Suite {
  static let publishedValueName = "snapshots of a value"
  static let publishingThreads = [1, 2, 8]
  static let publications = [0, 100, 1_000]
  static let publicationGroup = "publications"
  static let publicationTitle = "1 thread"

  static func publishedValueGroup(threads: Int) -> String {
    threads == 1 ? "1 reader" : "\(threads) readers"
  }

  static func publishedValueTitle(publications: Int) -> String { "\(publications) publications/s" }

  /// Measures reads of a value that is replaced now and then.
  static var publishedValue: Suite {
    Suite(
      name: publishedValueName,
      about: "a value of eight words that is replaced now and then, read in between",
      contests: publishingThreads.flatMap { threads in
        publications.map { publications in
          func trial(_ published: consuming some PublishedValue & ~Copyable, _ name: String) -> Contestant {
            PublishedValueTrial(published, publicationsPerSecond: publications).contestant(named: name)
          }
          return Contest(
            group: publishedValueGroup(threads: threads),
            title: publishedValueTitle(publications: publications), metric: .throughput, threads: threads,
            operationUnit: 100, reference: PublishedValueName.protector,
            contestants: [
              trial(InSnapshot(), PublishedValueName.snapshot),
              trial(InExchangingSnapshot(), PublishedValueName.exchanging),
              trial(InProtector(), PublishedValueName.protector),
              trial(Unprotected(), PublishedValueName.unprotected),
            ])
        }
      } + [publishing])
  }

  private static var publishing: Contest {
    Contest(
      group: publicationGroup, title: publicationTitle, metric: .cost, threads: 1, operationUnit: 10,
      reference: PublishedValueName.alone,
      contestants: [
        PublicationTrial(besideReader: false).contestant(named: PublishedValueName.alone),
        PublicationTrial(besideReader: true).contestant(named: PublishedValueName.besideReader),
      ], runsOnOtherThreads: true)
  }
}
